"""A school laboratory, from an old stock system: chemicals, cupboards, loans, staff, incidents."""

from datetime import date, timedelta

STAFF = """AVP,Avril Penrose,HOD,1998,B12;BOG,Boris Ogden,TCH,2007,B14;
CMK,Ciara McKeown,TEC,2011,PREP;
DAS,Dilip Asante,TCH,2016,C03;EHR,Edith Harrow,TCH,2001,C05;FTL,Felix Talbot,TRN,2025,;
GNW,Gwenda Norwood,TEC,2019,PREP;HJB,Hassan Jabari,TCH,2021,B14;ILS,Isolde Strand,TRN,2025,;
JRC,Jerome Cusack,TCH,2013,C03;KVM,Klara Vesely,TCH,2018,B12;LPD,Lionel Podmore,CLN,2009,;
MRX,Morag Rexford,TEC,2023,PREP;NTE,Nuala Teague,TCH,2024,C05"""
BOSS = {
    "BOG": "AVP",
    "CMK": "AVP",
    "DAS": "AVP",
    "EHR": "AVP",
    "FTL": "EHR",
    "GNW": "CMK",
    "HJB": "AVP",
    "ILS": "BOG",
    "JRC": "AVP",
    "KVM": "AVP",
    "LPD": "CMK",
    "MRX": "CMK",
    "NTE": "JRC",
}
CUPB = """A1,Acid cabinet,PREP,4,Y,CMK;A2,Base cabinet,PREP,4,Y,CMK;F1,Flammables safe,PREP,3,Y,GNW;
G1,General shelf,PREP,8,N,MRX;G2,Glass-door shelf,B12,6,N,AVP;G3,Corner shelf,B14,5,N,BOG;
P1,Poisons locker,PREP,2,Y,AVP;R1,Fridge,PREP,3,Y,GNW;S1,Salts drawer,C03,5,N,;
S2,Indicators box,C05,1,N,EHR;
X1,Oxidiser locker,PREP,2,Y,MRX;T1,Trolley,B12,2,N,"""
CHEMS = """Hydrochloric acid 2M,HCl,COR,A1,2500,ML,14.2;Sulfuric acid conc,H2SO4,COR,A1,900,ML,21.5;
Nitric acid 1M,HNO3,COR,A1,1200,ML,16.8;Ethanoic acid glacial,CH3COOH,COR,A1,450,ML,18.9;
Phosphoric acid,H3PO4,COR,A1,300,ML,24.6;Sodium hydroxide pellets,NaOH,COR,A2,1750,G,11.4;
Potassium hydroxide,KOH,COR,A2,400,G,17.3;Ammonia solution 35%,NH3,COR,A2,800,ML,13.7;
Calcium hydroxide,Ca(OH)2,HRM,A2,650,G,8.1;Ethanol,C2H5OH,FLM,F1,4200,ML,26.4;
Propanone,C3H6O,FLM,F1,1900,ML,15.6;Methanol,CH3OH,FLM,F1,350,ML,12.9;
Hexane,C6H14,FLM,F1,700,ML,31.2;
Cyclohexene,C6H10,FLM,F1,180,ML,44.75;Butan-1-ol,C4H9OH,FLM,F1,240,ML,19.95;
Sodium chloride,NaCl,NON,S1,3100,G,4.3;Copper sulfate,CuSO4,HRM,S1,1450,G,16.1;
Magnesium sulfate,MgSO4,NON,S1,980,G,6.2;Zinc sulfate,ZnSO4,HRM,S1,520,G,9.7;
Sodium carbonate,Na2CO3,HRM,S1,1150,G,5.6;Ammonium chloride,NH4Cl,HRM,S1,420,G,7.75;
Potassium nitrate,KNO3,OXI,X1,360,G,13.1;Potassium manganate(VII),KMnO4,OXI,X1,140,G,28.3;
Hydrogen peroxide 20 vol,H2O2,OXI,R1,1050,ML,9.9;Sodium nitrate,NaNO3,OXI,X1,275,G,10.6;
Lead nitrate,Pb(NO3)2,TOX,P1,95,G,37.4;Barium chloride,BaCl2,TOX,P1,130,G,33.8;
Potassium dichromate,K2Cr2O7,TOX,P1,60,G,52.5;Mercury,Hg,TOX,P1,25,ML,88;
Silver nitrate,AgNO3,COR,R1,40,G,96.5;
Magnesium ribbon,Mg,FLM,G1,75,G,22.7;Zinc granules,Zn,NON,G1,610,G,14.95;
Iron filings,Fe,NON,G1,840,G,6.85;
Copper turnings,Cu,NON,G1,390,G,18.2;Sulfur powder,S8,HRM,G1,560,G,7.2;
Marble chips,CaCO3,NON,G1,2750,G,5.1;
Starch soluble,,NON,G2,310,G,12.3;Glucose,C6H12O6,NON,G2,720,G,8.6;
Benedict's reagent,,HRM,G2,850,ML,17.9;
Biuret reagent,,HRM,G2,330,ML,20.4;Agar powder,,NON,R1,110,G,41.6;Catalase,,HRM,R1,15,ML,58.2;
Phenolphthalein,C20H14O4,FLM,S2,210,ML,11.8;Methyl orange,,TOX,S2,190,ML,10.2;
Universal indicator,,FLM,S2,640,ML,15.2;Iodine solution,I2,HRM,G3,270,ML,19.1;
Glycerol,C3H8O3,NON,G3,480,ML,13.4"""
SUPP = ["Brightwell Sci", "Timberlake Labs", "Ostrava Chemie", "Reagent Barn"]
INC = """2025-01-14,B12,SPILL,2,HJB,BOG,20,Bottle knocked off bench;
2025-01-29,PREP,FUME,3,CMK,AVP,45,Fan was off;
2025-02-06,C03,GLASS,1,DAS,CMK,10,Beaker cracked on tripod;
2025-02-27,C05,BURN,3,EHR,AVP,35,Pupil touched gauze;
2025-03-11,B14,SPILL,1,BOG,GNW,15,;2025-03-20,PREP,SPILL,4,GNW,AVP,90,Winchester dropped on stairs;
2025-04-30,B12,GLASS,1,KVM,CMK,5,;2025-05-08,C03,SPLASH,4,JRC,AVP,60,Goggles not worn;
2025-05-22,C05,SPILL,2,EHR,MRX,25,Label had come off;
2025-06-12,B14,FIRE,5,HJB,AVP,120,Alcohol burner tipped over;
2025-06-26,PREP,GLASS,2,MRX,CMK,15,Cut finger;2025-09-16,B12,SPLASH,3,FTL,,30,Trainee alone in room;
2025-09-30,C03,SPILL,2,DAS,GNW,20,;2025-10-09,B14,BURN,2,ILS,BOG,25,Hot crucible;
2025-10-21,PREP,FUME,4,CMK,AVP,75,Two bottles stored together;2025-11-06,B12,SPILL,1,KVM,MRX,10,;
2025-11-18,C05,GLASS,2,NTE,,15,Thermometer broken;
2025-12-02,C03,FIRE,4,JRC,AVP,80,Paper towel caught light;
2025-12-11,B14,SPILL,3,HJB,,40,Stock solution left uncapped;2026-01-15,C05,SPLASH,2,NTE,GNW,20,;
2026-01-28,PREP,SPILL,1,GNW,CMK,10,Drip under the tap;
2026-02-10,B12,BURN,1,AVP,CMK,10,Own hand on hotplate"""
MIX = {
    1: [1],
    2: [8, 1],
    4: [10],
    5: [17],
    6: [2],
    8: [6],
    9: [39, 17],
    10: [10, 12],
    12: [3],
    13: [11],
    15: [8, 3],
    16: [43],
    17: [29],
    18: [10],
    19: [23, 24],
    20: [7],
    21: [45],
    14: [31],
}


def rows(text):
    return [[v or None for v in r.strip().split(",")] for r in text.replace("\n", "").split(";")]


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` a random number generator."
    db.executescript("""
CREATE TABLE STF_MAST (STF_CD TEXT PRIMARY KEY, STF_NM TEXT, ROLE_CD TEXT, STRT_YR INTEGER, \
HOME_RM TEXT,
  LN_MGR_CD TEXT REFERENCES STF_MAST(STF_CD), TRNG_DT TEXT);
CREATE TABLE CPB_MAST (CPB_CD TEXT PRIMARY KEY, CPB_NM TEXT, RM_NO TEXT, SHLF_CT INTEGER, \
LOCK_YN TEXT,
  KEYHLD_CD TEXT REFERENCES STF_MAST(STF_CD));
CREATE TABLE CHM_STK (CHM_NO INTEGER PRIMARY KEY, CHM_NM TEXT UNIQUE, FRMLA TEXT, HAZ_CD TEXT,
  CPB_CD TEXT REFERENCES CPB_MAST(CPB_CD), QTY_OH INTEGER, UNT_CD TEXT, BTL_PRC REAL, SUPP_NM TEXT,
  PUR_DT TEXT, EXP_DT TEXT);
CREATE TABLE LOAN_TRN (LOAN_NO INTEGER PRIMARY KEY, CHM_NO INTEGER REFERENCES CHM_STK(CHM_NO),
  STF_CD TEXT REFERENCES STF_MAST(STF_CD), OUT_DT TEXT, DUE_DT TEXT, RTN_DT TEXT, OUT_QTY INTEGER,
  USED_QTY INTEGER, YR_GRP INTEGER);
CREATE TABLE INC_LOG (INC_NO INTEGER PRIMARY KEY, INC_DT TEXT, RM_NO TEXT, INC_TYP TEXT, \
SEV_LVL INTEGER,
  RPT_BY TEXT REFERENCES STF_MAST(STF_CD), CLSD_BY TEXT REFERENCES STF_MAST(STF_CD), \
LOST_MIN INTEGER, RMK TEXT);
CREATE TABLE INC_CHM (INC_NO INTEGER REFERENCES INC_LOG(INC_NO), \
CHM_NO INTEGER REFERENCES CHM_STK(CHM_NO),
  SPILT_QTY INTEGER, PRIMARY KEY (INC_NO, CHM_NO));
""")
    for cd, nm, role, yr, rm in rows(STAFF):
        trained = (date(2023, 9, 1) + timedelta(days=rng.randint(0, 860))).isoformat()
        trained = None if cd in ("ILS", "LPD") else "2025-10-03" if cd == "FTL" else trained
        db.execute(
            "INSERT INTO STF_MAST VALUES (?,?,?,?,?,?,?)",
            (cd, nm, role, int(yr), rm, BOSS.get(cd), trained),
        )
    db.executemany("INSERT INTO CPB_MAST VALUES (?,?,?,?,?,?)", rows(CUPB))
    chems = rows(CHEMS)
    for i, (nm, fm, haz, cpb, qty, unt, prc) in enumerate(chems, 1):
        bought = date(2021, 9, 6) + timedelta(days=rng.randint(0, 1580))
        ends = (
            None
            if haz == "NON" and unt == "G"
            else (bought + timedelta(days=rng.choice([365, 730, 1095, 1825]) + i)).isoformat()
        )
        row = (
            i,
            nm,
            fm,
            haz,
            cpb,
            int(qty),
            unt,
            float(prc),
            rng.choices(SUPP, [5, 3, 2, 2])[0],
            bought.isoformat(),
            ends,
        )
        db.execute("INSERT INTO CHM_STK VALUES (?,?,?,?,?,?,?,?,?,?,?)", row)
    takers = [
        "AVP",
        "BOG",
        "BOG",
        "DAS",
        "DAS",
        "EHR",
        "EHR",
        "EHR",
        "FTL",
        "HJB",
        "HJB",
        "ILS",
        "JRC",
        "KVM",
        "KVM",
        "NTE",
    ]
    never = {5, 15, 28, 29, 42}
    days = [date(2025, 1, 8) + timedelta(days=k) for k in range(411)]
    days = [d for d in days if d.weekday() < 5 and d.month != 8]
    days = [d for d in days if not "07-18" < f"{d:%m-%d}" < "09-03" and not "12-18" < f"{d:%m-%d}"]
    for n, out in enumerate(sorted(rng.sample(days, 110)), 1):
        chm = rng.choice([c for c in range(1, 48) if c not in never])
        who = rng.choice([t for t in takers if out > date(2025, 9, 1) or t not in ("FTL", "ILS")])
        due = out + timedelta(days=rng.choice([1, 2, 7, 7, 14]))
        back = (
            None
            if n > 105 or n in (47, 83, 98)
            else due + timedelta(days=rng.choice([-1, 0, 0, 0, -1, 2, 5, 9]))
        )
        qty = rng.choice(
            [q for q in (5, 10, 20, 25, 50, 50, 100, 150, 200) if q < int(chems[chm - 1][4]) / 3]
        )
        used = None if back is None else int(qty * rng.choice([0.2, 0.4, 0.5, 0.8, 1]))
        row = (n, chm, who, out.isoformat(), due.isoformat(), back and back.isoformat(), qty, used)
        db.execute(
            "INSERT INTO LOAN_TRN VALUES (?,?,?,?,?,?,?,?,?)",
            (*row, rng.choice([7, 8, 9, 9, 10, 10, 11, 12, 13])),
        )
    for i, row in enumerate(rows(INC), 1):
        db.execute("INSERT INTO INC_LOG VALUES (?,?,?,?,?,?,?,?,?)", (i, *row))
        for c in MIX.get(i, []):
            db.execute(
                "INSERT INTO INC_CHM VALUES (?,?,?)",
                (i, c, rng.choice([5, 10, 20, 30, 50, 75, 120, 250])),
            )
