"""A courier: parcels, the depots they pass, the couriers who bring them and every scan."""

from datetime import datetime, timedelta

FIRST = """Dave Sunita Marcin Leroy Aoife Giulia Tariq Beth Kofi Jenny Stefan Nadia Craig Lucia
Hamza Orla Wei Gareth Paulo Simone Rashid Tina Bogdan Keisha Neil Anouk Jamal Carys Milan Debbie
Femi Rosa Ewan Padma Colin Yasmin""".split()
LAST = """Mistry Gallagher Wojcik Campbell Ncube Romano Aziz Thornton Asante Popescu Lowe Duarte
Hussain Farrell Zhang Bevan Costa Laurent Mahmood Holt Dragan Francis Ogden Visser Diallo Morgan
Horvat Sykes Balogun Marino Duncan Rao Perkins Saleh Kelly Nilsson Whelan Kaplan""".split()
DEPOTS = [
    ("LDN", "London Park Royal", "South", 9200),
    ("BHM", "Birmingham Hub", "Midlands", 12500),
    ("MAN", "Manchester Trafford", "North", 7800),
    ("LDS", "Leeds Stourton", "North", 5400),
    ("BRS", "Bristol Avonmouth", "South", 4600),
    ("GLA", "Glasgow Eurocentral", "Scotland", 5100),
    ("EDI", "Edinburgh Newbridge", "Scotland", 2900),
    ("CDF", "Cardiff Wentloog", "Wales", 2400),
    ("NCL", "Newcastle Team Valley", "North", 2700),
    ("SOU", "Southampton Nursling", "South", 3100),
    ("NOT", "Nottingham Colwick", "Midlands", 3300),
    ("EXE", "Exeter Sowton", "South", 1500),
]
STATUS = [
    ("DEL", "Delivered", "Y"),
    ("OUT", "Out for delivery", "N"),
    ("RET", "Returned to sender", "Y"),
    ("HLD", "Held at depot", "N"),
    ("TRN", "In transit", "N"),
    ("LST", "Lost", "Y"),
]
SENDERS = """Bramble Books;Northside Electronics;Vesta Shoes;Tilly & Co Gifts;GreenLeaf
Plants;Oakham Tools;Pixel Print Shop;Harbour Coffee Roasters;Loom Fabrics;Kitchen Corner;Fernhill
Pharmacy;Spokes Bike Parts;Little Acorns Toys;Juniper Skincare;Record Attic;Peak Outdoor"""


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` a random number generator."
    db.executescript("""
CREATE TABLE tbl_status (sts TEXT PRIMARY KEY, descr TEXT, is_final TEXT);
CREATE TABLE tbl_depot (dep_cd TEXT PRIMARY KEY, dep_nm TEXT, region TEXT, cap_day INTEGER);
CREATE TABLE tbl_courier (cr_id INTEGER PRIMARY KEY, cr_nm TEXT,
  dep_cd TEXT REFERENCES tbl_depot(dep_cd), veh_typ TEXT, hire_dt TEXT, hr_rate REAL, act TEXT);
CREATE TABLE tbl_sender (snd_id INTEGER PRIMARY KEY, snd_nm TEXT, acct_typ TEXT, disc_pct INTEGER);
CREATE TABLE tbl_parcel (trk_no TEXT PRIMARY KEY, snd_id INTEGER REFERENCES tbl_sender(snd_id),
  rcp_nm TEXT, orig_dep TEXT REFERENCES tbl_depot(dep_cd),
  dest_dep TEXT REFERENCES tbl_depot(dep_cd), cr_id INTEGER REFERENCES tbl_courier(cr_id),
  svc TEXT, wt_kg REAL, len_cm INTEGER, price REAL, ins_val REAL, pck_dt TEXT, del_dt TEXT,
  sts TEXT REFERENCES tbl_status(sts));
CREATE TABLE tbl_scan (scan_id INTEGER PRIMARY KEY, trk_no TEXT REFERENCES tbl_parcel(trk_no),
  dep_cd TEXT REFERENCES tbl_depot(dep_cd), scan_ts TEXT, scan_typ TEXT);
""")
    db.executemany("INSERT INTO tbl_status VALUES (?, ?, ?)", STATUS)
    db.executemany("INSERT INTO tbl_depot VALUES (?, ?, ?, ?)", DEPOTS)
    codes, size = [d[0] for d in DEPOTS], [d[3] for d in DEPOTS]
    names = rng.sample([f"{f} {n}" for f in FIRST for n in LAST], 64)
    rows, at = [], {c: [] for c in codes}
    for i, nm in enumerate(names, 1):
        dep = codes[i - 1] if i <= 12 else rng.choices(codes, size)[0]
        veh = rng.choices(["van", "large van", "cargo bike", "motorbike"], [60, 18, 14, 8])[0]
        hired = datetime(2015, 3, 2) + timedelta(days=int(3500 * rng.random() ** 0.7))
        rate = 12.2 + (2024.5 - hired.year) * 0.25 + (0.8 if veh == "large van" else 0)
        act = "Y" if i <= 12 or rng.random() < 0.85 else "N"
        rows.append((i, nm, dep, veh, hired.date().isoformat(), round(rate, 2), act))
        if act == "Y":
            at[dep].append(i)
    db.executemany("INSERT INTO tbl_courier VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    senders = SENDERS.replace("\n", " ").split(";")
    rows = []
    for i, nm in enumerate(senders, 1):
        acct = rng.choices(["business", "standard", "premium"], [6, 6, 4])[0]
        disc = {"business": 10, "premium": 15}.get(acct, 0)
        rows.append((i, nm, acct, disc))
    db.executemany("INSERT INTO tbl_sender VALUES (?, ?, ?, ?)", rows)
    disc = [r[3] for r in rows]
    home = [rng.choices(codes, size)[0] for _ in senders]
    weight = [1 / (i + 1) ** 0.7 for i in range(len(senders))]
    now = datetime(2025, 2, 14, 12, 0)
    days = sorted(int(45 * rng.random() ** 0.8) for _ in range(160))
    numbers = sorted(rng.sample(range(100200, 998700), 160))
    parcels, scans = [], []
    for no, d in zip(numbers, days, strict=True):
        trk = f"PX{no}GB"
        s = rng.choices(range(len(senders)), weight)[0]
        orig, dest = home[s], rng.choices(codes, size)[0]
        svc = rng.choices(["STD", "EXP", "SAT", "ECO"], [52, 24, 6, 18])[0]
        kg = round(min(0.2 + rng.lognormvariate(0.7, 0.9), 30), 1)
        cm = int(18 + 16 * kg**0.5 + rng.randint(0, 15))
        base = {"STD": 4.99, "EXP": 8.99, "SAT": 11.99, "ECO": 3.49}[svc] + 0.5 * int(kg)
        price = round(base * (1 - disc[s] / 100), 2)
        ins = rng.choice([50, 100, 100, 250, 500]) if rng.random() < 0.88 else None
        t = now.replace(hour=15, minute=rng.randint(0, 59)) - timedelta(days=45 - d)
        picked = t.date().isoformat()
        steps = [(orig, t, "PICKUP")]
        t += timedelta(hours=rng.randint(6, 11), minutes=rng.randint(0, 59))
        if dest != orig:
            steps.append(("BHM", t, "SORT"))
        slow = {"STD": 1, "EXP": 0, "SAT": 1, "ECO": 2}[svc]
        morning = (t + timedelta(days=slow, hours=9)).replace(hour=rng.randint(5, 8))
        out = max(t + timedelta(hours=4), morning)
        end = out + timedelta(hours=rng.randint(1, 7), minutes=rng.randint(1, 59))
        sts = rng.choices(["DEL", "RET", "HLD", "LST"], [84, 8, 6, 2])[0]
        if sts in ("DEL", "RET"):
            steps += [(dest, out, "OUT"), (dest, end, "DELIVERED" if sts == "DEL" else "REFUSED")]
        elif sts == "HLD":
            steps.append((dest, out, "HOLD"))
        if end > now:
            sts = "OUT" if out <= now else "TRN"
        steps = [x for x in steps if x[1] <= now]
        done = end.date().isoformat() if sts == "DEL" else None
        who = f"{rng.choice(FIRST)} {rng.choice(LAST)}"
        cr = rng.choice(at[dest]) if sts in ("DEL", "OUT", "RET") else None
        row = (trk, s + 1, who, orig, dest, cr, svc, kg, cm, price, ins, picked, done, sts)
        parcels.append(row)
        scans += [(x[1], trk, x[0], x[2]) for x in steps]
    db.executemany(f"INSERT INTO tbl_parcel VALUES ({', '.join('?' * 14)})", parcels)
    scans = [x for x in sorted(scans) if rng.random() < 0.97][-395:]
    rows = [
        (i, trk, dep, t.strftime("%Y-%m-%d %H:%M"), typ)
        for i, (t, trk, dep, typ) in enumerate(scans, 1)
    ]
    db.executemany("INSERT INTO tbl_scan VALUES (?, ?, ?, ?, ?)", rows)
