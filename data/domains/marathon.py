"""Road running in one region: clubs, runners and their coaches, races, results, sponsors."""

from datetime import date

WOMEN = """Aino Bronwen Celestine Daniela Efua Franziska Greta Hiromi Ilse Jacinta Katarzyna Lindiwe
Maren Noor Oonagh Paloma Radka Saoirse Tereza Ursula Wanjiru Zeynep""".split()
MEN = """Anselm Bartek Cormac Dario Emeka Florian Gideon Haruto Istvan Joaquin Kiprono Leandro
Mikkel Nikolai Otis Pascal Rasmus Sefu Tadeo Viktor Wim Yusuf""".split()
LAST = """Abernathy Bakke Calloway Drachmann Ekholm Fairweather Galindo Hargreave Ivarsson Juhl
Kettering Limani Mossberg Ndegwa Olufemi Prendergast Quiroga Rosenthal Saltmarsh Tremblay Ulvang
Vantongeren Winterbourne Ximenes Ystad Zeller""".split()
CLUBS = [
    (1, "Harbour Striders", "Port Elsby", 1978, 35.0, "navy"),
    (2, "Moor Foxes", "Hexcombe", 1991, 28.0, "orange"),
    (3, "Canal Road Runners", "Tarnford", 1984, 40.0, "green"),
    (4, "Iron Bridge AC", "Tarnford", 1926, 55.0, "red"),
    (5, "Sunday Plodders", "Little Wenlow", 2011, 10.0, "purple"),
    (6, "Night Owls", "Port Elsby", 2017, 18.5, "black"),
]
RACES = [
    ("Port Elsby Marathon", "Port Elsby", 42.195, "04", 48.0, 95),
    ("Tarnford Canal Half", "Tarnford", 21.0975, "05", 32.0, 20),
    ("Hexcombe Hill Ten", "Hexcombe", 16.1, "07", 22.0, 410),
    ("Saltmarsh Marathon", "Great Odney", 42.195, "10", 55.0, 12),
    ("Frost Half", "Little Wenlow", 21.0975, "02", 27.5, 160),
]
SPONSORS = [
    ("Bramley Shoes", "footwear", "Nora Pell", 2016),
    ("Odney Savings Bank", "bank", "Curtis Vane", 2012),
    ("Peak Water", "drinks", "Ishaan Rao", 2019),
    ("Gel & Go", "nutrition", None, 2021),
    ("Tarnford Trams", "transport", "Beate Lunn", 2018),
    ("Hexcombe Brewery", "drinks", "Aled Prosser", 2014),
    ("Kneewell Physio", "health", "Dr Sunita Bose", 2022),
    ("Lumen Headtorches", "equipment", None, 2023),
    ("Wenlow Bakery", "food", "Fritz Adler", 2015),
    ("Zip Timing", "equipment", "Gail Omondi", 2017),
    ("Northgate Insurance", "insurance", "Per Dahl", 2024),
]


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` a random number generator."
    db.executescript("""
CREATE TABLE club (id INTEGER PRIMARY KEY, name TEXT UNIQUE, town TEXT, founded INTEGER, \
yearly_fee REAL,
  vest_colour TEXT);
CREATE TABLE runner (id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, sex TEXT, \
birth_date TEXT,
  home_town TEXT, club_id INTEGER REFERENCES club(id), coach_id INTEGER REFERENCES runner(id),
  shoe_brand TEXT, emergency_phone TEXT);
CREATE TABLE race (id INTEGER PRIMARY KEY, name TEXT, held_on TEXT, start_town TEXT, \
distance_km REAL,
  climb_m INTEGER, entry_fee REAL, start_time TEXT, weather TEXT, max_entries INTEGER);
CREATE TABLE result (race_id INTEGER REFERENCES race(id), runner_id INTEGER REFERENCES runner(id),
  bib INTEGER, entered_on TEXT, status TEXT, finish_seconds INTEGER, half_split_seconds INTEGER,
  pacer_id INTEGER REFERENCES runner(id), PRIMARY KEY (race_id, runner_id));
CREATE TABLE sponsor (id INTEGER PRIMARY KEY, company TEXT UNIQUE, trade TEXT, contact_person TEXT,
  partner_since INTEGER);
CREATE TABLE race_sponsor (race_id INTEGER REFERENCES race(id), \
sponsor_id INTEGER REFERENCES sponsor(id),
  amount REAL, in_kind TEXT, PRIMARY KEY (race_id, sponsor_id));
""")
    db.executemany("INSERT INTO club VALUES (?, ?, ?, ?, ?, ?)", CLUBS)
    towns, pace, women = (
        ["Port Elsby", "Hexcombe", "Tarnford", "Little Wenlow", "Great Odney", "Stoke Barrow"],
        {},
        set(),
    )
    names = rng.sample([(f, n) for n in LAST for f in WOMEN + MEN], 60)
    for i, (first, last) in enumerate(names, 1):
        club = rng.choices([1, 2, 3, 4, 5, 6, None], [12, 8, 10, 9, 8, 5, 9])[0]
        coach = rng.choice([1, 2, 3, 3, 4, 5, 6]) if i > 6 and rng.random() < 0.6 else None
        born = date(
            rng.randint(1951, 1975) if i < 7 else rng.randint(1950, 2005),
            rng.randint(1, 12),
            rng.randint(1, 28),
        )
        women |= {i} if first in WOMEN else set()
        pace[i] = rng.gauss(305, 38) + (22 if i in women else 0) + max(0, 1985 - born.year)
        shoe = rng.choices(["Fleetfoot", "Kestrel", "Aurora", "Tamarind", None], [8, 6, 5, 3, 3])[0]
        phone = (
            None
            if rng.random() < 0.18
            else f"0{rng.randint(300, 799)}-{rng.randint(100000, 999999)}"
        )
        db.execute(
            "INSERT INTO runner VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                i,
                first,
                last,
                "F" if i in women else "M",
                born.isoformat(),
                rng.choices(towns, [8, 5, 8, 4, 4, 3])[0],
                club,
                coach,
                shoe,
                phone,
            ),
        )
    db.executemany(
        "INSERT INTO sponsor VALUES (?, ?, ?, ?, ?)", [(i, *s) for i, s in enumerate(SPONSORS, 1)]
    )
    n = 0
    for y in (2022, 2023, 2024, 2025):
        for name, town, km, month, fee, climb in sorted(RACES, key=lambda r: r[3]):
            n += 1
            day = date(y, int(month), rng.randint(2, 27)).isoformat()
            done = day < "2025-09"
            weather = rng.choice(["rain", "sunny", "wind", "fog", "overcast"]) if done else None
            db.execute(
                "INSERT INTO race VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    n,
                    name,
                    day,
                    town,
                    km,
                    climb,
                    fee + 1.5 * (y - 2022),
                    rng.choice(["08:30", "09:00", "09:30", "10:00"]),
                    weather,
                    rng.choice([150, 200, 300, 500, 800]),
                ),
            )
            for sp in rng.sample(range(1, 11), rng.choice([2, 2, 3, 3, 4])):
                kind = rng.choices(
                    [None, "bananas", "medals", "shirts", "water"], [60, 8, 12, 10, 10]
                )[0]
                db.execute(
                    "INSERT INTO race_sponsor VALUES (?, ?, ?, ?)",
                    (n, sp, rng.randint(3, 60) * 50.0 if SPONSORS[sp - 1][3] <= y else 100.0, kind),
                )
            field = sorted(
                rng.sample([i for i in pace if i not in (17, 29, 41)], rng.randint(6, 9))
            )
            bibs = rng.sample(range(1, 400), len(field))
            for who, bib in zip(field, bibs):
                status = (
                    rng.choices(["finished", "dnf", "dns"], [84, 9, 7])[0] if done else "entered"
                )
                pc = pace[who] * (1 + 0.06 * (km > 30)) + climb / 20 + rng.gauss(0, 9)
                time = int(pc * km) if status == "finished" else None
                half = (
                    None
                    if status in ("dns", "entered")
                    else int(pc * km / 2 * rng.uniform(0.94, 1.01))
                )
                pacer = (
                    rng.choice([p for p in (2, 7, 8, 11, 14) if p != who])
                    if km > 20 and rng.random() < 0.3
                    else None
                )
                mon = rng.choice([9, 10, 11, 12])
                db.execute(
                    "INSERT INTO result VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        n,
                        who,
                        bib,
                        date(y - 1, mon, rng.randint(1, 28)).isoformat(),
                        status,
                        time,
                        half,
                        pacer,
                    ),
                )
