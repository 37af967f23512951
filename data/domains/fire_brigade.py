"""A volunteer fire brigade: fire fighters (ff), engines (eng), call-outs and training evenings."""

from datetime import datetime, timedelta

FIRST = """Markus Siobhan Pete Agata Luca Nils Jo Bianca Evan Tunde Rhys Katrin Milo Sandra Dougie
Ayesha Franz Tess Ruairi Ingrid Kyle Marta Hamish Beata Osman Lynn Gavin Elsa Tomi Carla Bryn Jule
Stuart Nadia Arne Molly""".split()
LAST = """Hollis McBride Tanner Kowal Ricci Haugland Petrie Santos Llewellyn Adeleke Pryce Baumann
Drummond Sorley Iqbal Gruber Winters Kinsella Dahlberg Rowe Kaya Lennox Zielinska Demir Forsyth
Chapman Lindholm Virtala Moretti Bevan Schuster Nairn Aziz Ostby Quigg Telfer""".split()
ENGINES = [
    ("HLF 1", "Pumping engine", "Scania", 2019, 2000, 9),
    ("HLF 2", "Pumping engine", "Volvo", 2011, 1800, 9),
    ("TLF", "Water tanker", "MAN", 2014, 5000, 3),
    ("DL 23", "Turntable ladder", "Iveco", 2008, None, 3),
    ("RW", "Rescue truck", "Mercedes", 2016, None, 3),
    ("MTW", "Crew van", "Ford", 2020, None, 8),
    ("KDO", "Command car", "Skoda", 2022, None, 4),
]
CALLS = {
    "FIRE": (30, "house,chimney,barn,car,rubbish bin,forest,kitchen,hedge"),
    "TECH": (34, "car accident,tree on road,oil spill,flooded cellar,person in lift,open door"),
    "ALRM": (22, "fire alarm school,fire alarm nursing home,fire alarm sawmill,smoke detector"),
    "RESC": (8, "person in river,injured climber,cow in ditch,cat on roof"),
    "HAZ": (3, "gas leak,chlorine at pool"),
}
LABELS = ["Fire", "Technical help", "Automatic alarm", "Rescue", "Hazardous material"]
TOPICS = """Breathing apparatus;Ladder drill;First aid;Knots and ropes;Pump operation;
Radio procedure;Hydraulic rescue tools;Hazmat basics;Chainsaw safety;Water rescue;Night exercise;
Driver training"""
STREETS = """Mill Lane;High Street;Station Road;Church Hill;Quarry Road;Riverside;Forest Way;
Kiln Close;Market Square;Ring Road;School Lane;Birch Avenue;Brewery Yard;Old Bridge;B412;
Sawmill Road"""
HOURS = [2, 1, 1, 1, 1, 2, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 8, 9, 9, 9, 8, 6, 5, 3]


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` a random number generator."
    db.executescript("""
CREATE TABLE ff (ff_id INTEGER PRIMARY KEY, f_name TEXT, l_name TEXT, rank TEXT, dob TEXT,
  join_dt TEXT, job TEXT, blood_grp TEXT, ba_ok TEXT, lic_hgv TEXT, stat TEXT,
  mentor_id INTEGER REFERENCES ff(ff_id));
CREATE TABLE eng (eng_id INTEGER PRIMARY KEY, call_sgn TEXT, typ TEXT, make TEXT, yr INTEGER,
  water_l INTEGER, seats INTEGER, mileage_km INTEGER, next_insp TEXT);
CREATE TABLE call_typ (typ_cd TEXT PRIMARY KEY, descr TEXT);
CREATE TABLE call_out (co_id INTEGER PRIMARY KEY, typ_cd TEXT REFERENCES call_typ(typ_cd),
  what TEXT, street TEXT, alarm_ts TEXT, back_ts TEXT, resp_min INTEGER, water_used_l INTEGER,
  lead_eng INTEGER REFERENCES eng(eng_id), ldr_id INTEGER REFERENCES ff(ff_id), false_alm TEXT);
CREATE TABLE call_out_ff (co_id INTEGER REFERENCES call_out(co_id),
  ff_id INTEGER REFERENCES ff(ff_id), eng_id INTEGER REFERENCES eng(eng_id), ba_min INTEGER,
  PRIMARY KEY (co_id, ff_id));
CREATE TABLE training (tr_id INTEGER PRIMARY KEY, topic TEXT, tr_dt TEXT, dur_h REAL,
  instr_id INTEGER REFERENCES ff(ff_id), loc TEXT);
CREATE TABLE ff_training (tr_id INTEGER REFERENCES training(tr_id),
  ff_id INTEGER REFERENCES ff(ff_id), result TEXT, PRIMARY KEY (tr_id, ff_id));
""")
    now, crew = datetime(2025, 6, 1), []
    jobs = "carpenter,teacher,farmer,electrician,nurse,student,mechanic,baker,clerk".split(",")
    for i, (f, n) in enumerate(rng.sample([(f, n) for f in FIRST for n in LAST], 64), 1):
        age = 52 - i * 0.4 + rng.uniform(-6, 8) if i < 64 else 17.4
        born = now - timedelta(days=int(max(17.2, age) * 365.25))
        served = max(0.3, min(age - 16.5, rng.triangular(0, age - 16, (age - 16) * 0.7)))
        joined = now - timedelta(days=int(served * 365.25))
        rank = "recruit" if served < 2 else "fire fighter" if served < 9 else "senior fire fighter"
        rank = "leading fire fighter" if served > 15 and i > 2 and rng.random() < 0.6 else rank
        rank = {1: "chief", 2: "deputy chief"}.get(i, rank)
        ba = "Y" if i < 3 or (rank != "recruit" and age < 56 and rng.random() < 0.7) else "N"
        hgv = "Y" if i < 3 or (age > 22 and rng.random() < 0.4) else "N"
        stat = "A" if i < 5 else rng.choices(["A", "R", "L"], [80, 12, 8])[0]
        blood = rng.choices(["0+", "A+", "B+", "AB+", "0-", "A-", None], [30, 31, 10, 4, 6, 6, 9])[
            0
        ]
        job = "student" if age < 20 else None if rng.random() < 0.07 else rng.choice(jobs)
        old = [c[0] for c in crew if c[5] < (joined - timedelta(days=1500)).date().isoformat()]
        mentor = rng.choice(old) if old and served < 12 else None
        row = (i, f, n, rank, born.date().isoformat(), joined.date().isoformat(), job, blood)
        crew.append((*row, ba, hgv, stat, mentor))
    db.executemany(f"INSERT INTO ff VALUES ({', '.join('?' * 12)})", crew)
    rows = []
    for i, e in enumerate(ENGINES, 1):
        km = (2025 - e[3]) * rng.randint(1500, 3800)
        insp = now + timedelta(days=rng.randint(-20, 400))
        rows.append((i, *e, km, insp.date().isoformat()))
    db.executemany("INSERT INTO eng VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    db.executemany("INSERT INTO call_typ VALUES (?, ?)", zip(CALLS, LABELS, strict=True))
    streets = [s.strip() for s in STREETS.split(";")]
    active = [c for c in crew if c[10] == "A" and c[5] < "2024-01-01"]
    keen = [rng.uniform(0.3, 1.5) for _ in active]
    leaders = [c[0] for c in active if "chief" in c[3] or "leading" in c[3]]
    calls, teams = [], []
    times = sorted((rng.randint(0, 500), rng.choices(range(24), HOURS)[0]) for _ in range(76))
    for i, (d, h) in enumerate(times, 1):
        code = rng.choices(list(CALLS), [v[0] for v in CALLS.values()])[0]
        what = rng.choice(CALLS[code][1].split(","))
        alarm = datetime(2024, 1, 10) + timedelta(days=d, hours=h, minutes=rng.randint(0, 59))
        fake = "Y" if code == "ALRM" and rng.random() < 0.72 else "N"
        long = 25 if fake == "Y" else int(rng.lognormvariate(4.5, 0.5))
        back = alarm + timedelta(minutes=max(20, long))
        big = {"house": 9000, "barn": 14000, "forest": 11000}.get(what, 700)
        water = int(big * rng.uniform(0.4, 1.5)) // 50 * 50 if code == "FIRE" else 0
        water = None if rng.random() < 0.07 else water
        eng = {"FIRE": 1, "TECH": 5, "RESC": 5, "HAZ": 1}.get(code, rng.choice([1, 1, 2]))
        eng = rng.choice([eng, eng, eng, 2])
        ldr = rng.choice(leaders)
        street = "B412" if what == "car accident" and rng.random() < 0.5 else rng.choice(streets)
        row = (i, code, what, street, alarm.strftime("%Y-%m-%d %H:%M"))
        row += (back.strftime("%Y-%m-%d %H:%M"), rng.randint(5, 14), water, eng, ldr, fake)
        calls.append(row)
        who = rng.choices(active, keen, k=6 if big > 8000 else rng.choice([3, 4, 5]))
        for k, m in enumerate(sorted(dict.fromkeys([ldr, *(w[0] for w in who)]))):
            breath = crew[m - 1][8] == "Y" and code in ("FIRE", "HAZ") and rng.random() < 0.5
            mins = rng.randint(8, 35) if breath and m != ldr else None
            teams.append((i, m, eng if k < 3 or (eng < 3 and rng.random() < 0.6) else 6, mins))
    db.executemany(f"INSERT INTO call_out VALUES ({', '.join('?' * 11)})", calls)
    db.executemany("INSERT INTO call_out_ff VALUES (?, ?, ?, ?)", teams)
    topics = [t.strip() for t in TOPICS.split(";")]
    sessions, taken = [], []
    for i in range(1, 61):
        day = datetime(2024, 1, 12) + timedelta(days=i * 8 // 7 * 7)
        topic = rng.choices(topics, [9, 7, 7, 5, 7, 5, 6, 3, 3, 3, 3, 4])[0]
        hours = (
            4.0 if topic in ("Night exercise", "Driver training") else rng.choice([1.5, 2, 2, 2.5])
        )
        teach = rng.choice(leaders)
        loc = {"Water rescue": "lake", "Driver training": "car park"}.get(topic, "fire station")
        loc = "training yard" if loc == "fire station" and rng.random() < 0.35 else loc
        sessions.append((i, topic, day.date().isoformat(), hours, teach, loc))
        for m in sorted(
            dict.fromkeys(w[0] for w in rng.choices(active, keen, k=rng.randint(4, 8)))
        ):
            grade = rng.choices(["passed", "attended", "failed", None], [38, 48, 5, 9])[0]
            if m != teach:
                taken.append((i, m, grade))
    db.executemany("INSERT INTO training VALUES (?, ?, ?, ?, ?, ?)", sessions)
    db.executemany("INSERT INTO ff_training VALUES (?, ?, ?)", taken)
