"""A bicycle repair shop: customers, bikes, mechanics, jobs, parts in stock and parts used."""

from datetime import date, timedelta

CUST = """Alice Tranter,Fordham;Bogdan Ilic,Fordham;Callum Pryde,Westmere;Dilys Parfitt,Canning;
Esme Thackray,Fordham;Farouk Saleh,Westmere;Greta Nyholm,Canning;Hamish Orde,Fordham;
Ivy Cattermole,Stoke Abbas;Jerome Fontayne,Westmere;Kofi Mensah-Bell,Fordham;Lydia Brook,Canning;
Miles Harcastle,Stoke Abbas;Nerys Gough,Fordham;Oleg Varga,Westmere;Poppy Dunstan,Fordham;
Quentin Asher,Canning;Rosa Llorente,Fordham;Stan Whipple,Stoke Abbas;Tamsin Keogh,Westmere;
Umar Farid,Fordham;Violet Earnshaw,Canning;Wilf Garnett,Fordham;Xenia Kolb,Westmere;
Yannick Rossel,Fordham;Zara Pemble,Stoke Abbas;Fordham Couriers Ltd,Fordham;
Westmere Primary School,Westmere;Pedal & Post,Canning;Arthur Neame,Fordham;Bella Strood,Canning;
Conor Haggerty,Westmere;Dot Winstanley,Fordham;Eitan Markov,Fordham"""
MAKES = {
    "Corvane": "Strada 2,road;Strada 5,road;Gravelle,gravel",
    "Halberd": "Ridge 29,mountain;Ridge Pro,mountain;Scree,mountain",
    "Mistral": "Towner,city;Towner E,e-bike;Dutchess,city",
    "Pikku": "Mini 16,kids;Mini 20,kids",
    "Fenwick": "Foldaway,folding;Carrier XL,cargo;Carrier E,e-bike",
    "Osprey Cycles": "Tourer 40,touring;Sprint,road",
}
COLS = "red,black,black,dark green,blue,white,silver,orange,mint"
MECH = """Bernie Stokes,2008-04-01,,32,;Jo Pettigrew,2013-03-11,,28,1;Tariq Lodhi,2016-06-06,,28,1;
Magda Wrona,2019-09-02,,25,2;Kyle Sturgess,2022-05-16,,21,2;Ffion Beddoe,2023-07-03,,21,3;
Lenny Marsh,2024-06-10,,14,4;Anselm Pike,2009-02-02,2018-12-21,24,1;
Roz Tully,2015-10-05,2021-03-31,25,1;
Dean Chubb,2020-08-17,2023-06-30,20,3;Suki Ando,2024-11-04,,18,3;Bertie Stokes,2025-01-06,,12,1"""
PARTS = """Inner tube 700c,tyres,Radstock Supplies,2.1,6.5;
Inner tube 26in,tyres,Radstock Supplies,1.95,6;
Road tyre 28mm,tyres,Radstock Supplies,14.2,29.9;Puncture-proof tyre,tyres,Tyneholme,21.5,42;
Brake pads rim,brakes,Kettle & Sons,3.4,9.5;Brake pads disc,brakes,Kettle & Sons,6.8,17;
Brake cable,brakes,Kettle & Sons,1.2,4.5;Hydraulic hose,brakes,Tyneholme,11.9,26;
Chain 8-speed,drivetrain,Orbis Trade,8.3,18.5;Chain 11-speed,drivetrain,Orbis Trade,16.7,34;
Cassette 11-32,drivetrain,Orbis Trade,24.6,48;Chainring 44T,drivetrain,Orbis Trade,13.1,27.5;
Bottom bracket,drivetrain,Tyneholme,12.4,28;Gear cable,drivetrain,Kettle & Sons,1.3,4.9;
Rear derailleur,drivetrain,Orbis Trade,31,62;Front wheel 700c,wheels,Tyneholme,38.5,75;
Rear wheel 700c,wheels,Tyneholme,46,89;Spoke,wheels,Radstock Supplies,0.35,1.2;
Bar tape,cockpit,Kettle & Sons,5.6,15;Grips,cockpit,Kettle & Sons,4.1,11;
Saddle gel,cockpit,Radstock Supplies,13.5,32;
Pedals flat,cockpit,Radstock Supplies,9.2,21;Headset,cockpit,Orbis Trade,15.8,33.5;
Dynamo lamp,lights,Orbis Trade,18.4,39;
E-bike battery,electric,Voltrane,235,389;Speed sensor,electric,Voltrane,17.5,36.5;
Bell,cockpit,Radstock Supplies,1.6,5.5"""
WORK = """puncture,0.4,0.2,1 2 4;full service,2.5,3,5 7 9 14 10;brakes squeal,0.8,0.6,5 6 7 8;
gears slipping,1,1,9 10 11 14 15;wheel buckled,1.2,0.8,16 17 18;new chain,0.6,0.3,9 10;
creaking cranks,1.1,0.7,13 12;winter check,1,0.5,5 7 24;will not switch on,1.3,1.5,25 26;
respray,4,2,;bars and saddle,0.7,0.5,19 20 21 23"""


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` a random number generator."
    db.executescript("""
CREATE TABLE tbl_cust (cust_id INTEGER PRIMARY KEY, cust_nm TEXT UNIQUE, twn TEXT, tel TEXT,
  eml TEXT, cust_typ TEXT, disc_pct INTEGER, reg_dt TEXT, \
recd_by INTEGER REFERENCES tbl_cust(cust_id));
CREATE TABLE tbl_bike (bike_id INTEGER PRIMARY KEY, cust_id INTEGER REFERENCES tbl_cust(cust_id),
  mk TEXT, mdl TEXT, typ TEXT, col TEXT, mdl_yr INTEGER, frm_no TEXT UNIQUE);
CREATE TABLE tbl_mech (mech_id INTEGER PRIMARY KEY, mech_nm TEXT UNIQUE, start_dt TEXT, \
left_dt TEXT,
  hr_rate REAL, boss_id INTEGER REFERENCES tbl_mech(mech_id));
CREATE TABLE tbl_part (part_no INTEGER PRIMARY KEY, part_nm TEXT UNIQUE, cat TEXT, suppl TEXT,
  cost_pr REAL, sell_pr REAL, stk_qty INTEGER, min_qty INTEGER);
CREATE TABLE tbl_job (job_no INTEGER PRIMARY KEY, bike_id INTEGER REFERENCES tbl_bike(bike_id),
  mech_id INTEGER REFERENCES tbl_mech(mech_id), in_dt TEXT, out_dt TEXT, descr TEXT, lab_hrs REAL,
  lab_chg REAL, stat TEXT, paid INTEGER);
CREATE TABLE tbl_job_part (job_no INTEGER REFERENCES tbl_job(job_no),
  part_no INTEGER REFERENCES tbl_part(part_no), qty INTEGER, PRIMARY KEY (job_no, part_no));
""")
    cust = [c.strip().split(",") for c in CUST.split(";")]
    for i, (nm, twn) in enumerate(cust, 1):
        typ = "firm" if 27 <= i <= 29 else "private"
        typ = "school" if i == 28 else typ
        tel = (
            f"07{rng.randint(100, 999)} {rng.randint(100000, 999999)}"
            if rng.random() < 0.85
            else None
        )
        eml = (
            nm.split()[0].lower() + f"{rng.randint(1, 99)}@pennymail.example"
            if rng.random() < 0.65
            else None
        )
        disc = 15 if typ != "private" else rng.choice([0, 0, 0, 0, 5, 10])
        reg = (date(2014, 3, 1) + timedelta(days=i * 115 + rng.randint(-90, 90))).isoformat()
        by = (
            rng.choice([1, 3, 5, 8, i - 1])
            if i > 9 and typ == "private" and rng.random() < 0.45
            else None
        )
        db.execute(
            "INSERT INTO tbl_cust VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (i, nm, twn, tel, eml, typ, disc, reg, by),
        )
    owners = (
        [c for c in range(1, 33)] + [27] * 4 + [28] * 3 + [29] * 2 + rng.choices(range(1, 27), k=17)
    )
    bikes = []
    for i, who in enumerate(owners, 1):
        mk = rng.choice(list(MAKES))
        mdl, typ = rng.choice(MAKES[mk].split(";")).split(",")
        if who in (27, 29):
            mk, mdl, typ = (
                "Fenwick",
                *rng.choice([("Carrier XL", "cargo"), ("Carrier E", "e-bike")]),
            )
        elif who == 28:
            mk, mdl, typ = "Pikku", "Mini 20", "kids"
        yr = rng.randint(2009, 2024) if rng.random() < 0.9 else None
        frm = f"{mk[:2].upper()}{rng.randint(10000, 99999)}"
        bikes.append((i, who, mk, mdl, typ, rng.choice(COLS.split(",")), yr, frm))
    db.executemany("INSERT INTO tbl_bike VALUES (?, ?, ?, ?, ?, ?, ?, ?)", bikes)
    for i, m in enumerate(MECH.split(";"), 1):
        nm, start, left, rate, boss = m.strip().split(",")
        db.execute(
            "INSERT INTO tbl_mech VALUES (?, ?, ?, ?, ?, ?)",
            (i, nm, start, left or None, float(rate), int(boss) if boss else None),
        )
    parts = [p.strip().split(",") for p in PARTS.split(";")]
    for i, (nm, cat, sup, cost, sell) in enumerate(parts, 1):
        least = 2 if float(cost) > 20 else rng.choice([4, 6, 10])
        stock = rng.randint(0, 2 * least + 3) + (60 if nm == "Spoke" else 0)
        db.execute(
            "INSERT INTO tbl_part VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (i, nm, cat, sup, float(cost), float(sell), stock, least),
        )
    work = [w.strip().split(",") for w in WORK.split(";")]
    rates = {1: 32, 2: 28, 3: 28, 4: 25, 5: 21, 6: 21, 7: 14, 11: 18}
    came = sorted(date(2024, 11, 11) + timedelta(days=rng.randint(0, 190)) for _ in range(104))
    for i, day in enumerate(came, 1):
        bike = rng.choice([b for b in bikes if b[0] % 9])
        kinds = [w for w in work if w[0] != "will not switch on" or bike[4] == "e-bike"]
        what, hrs, more, used = rng.choices(
            kinds,
            [9 if w[0] in ("puncture", "full service", "will not switch on") else 4 for w in kinds],
        )[0]
        mech = rng.choices(list(rates), [4, 8, 7, 8, 6, 5, 2, 3])[0]
        hrs = round(float(hrs) + rng.random() * float(more), 1)
        late = (date(2025, 5, 21) - day).days
        stat = (
            "done"
            if late > 25
            else rng.choice(["done", "in progress", "waiting for parts", "waiting"])
        )
        out = (
            (day + timedelta(days=rng.choice([0, 1, 1, 2, 3, 5, 8, 12]))).isoformat()
            if stat == "done"
            else None
        )
        if late > 25 and rng.random() < 0.05:
            stat, out = "cancelled", None
        row = (i, bike[0], mech, day.isoformat(), out, what, hrs if out else None)
        paid = int(stat == "done" and rng.random() < 0.85)
        db.execute(
            "INSERT INTO tbl_job VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*row, round(hrs * rates[mech], 2) if out else None, stat, paid),
        )
        if used and out:
            for p in sorted(
                set(rng.choices([int(u) for u in used.split()], k=rng.choice([1, 1, 2, 3])))
            ):
                n = rng.randint(2, 9) if p == 18 else rng.choice([1, 1, 1, 2])
                db.execute("INSERT INTO tbl_job_part VALUES (?, ?, ?)", (i, p, n))
