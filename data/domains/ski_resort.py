"""A ski resort: lifts and the slopes they serve, instructors, guests, their passes and lessons."""

from datetime import date, timedelta

FIRST = """Anna Lukas Margaux Oliver Sanne Matteo Katya Ben Ellie Jorge Hanne Piotr Claire Rasmus
Lily Stefano Noor Dominik Heidi Tom Elena Florian Maeve Jakub Astrid Simon Valerie Hiro Bianca Max
Rosie Andreas Zoe Gustav Laura Adil Mireille Peter Saskia Niall""".split()
LAST = """Brunner Egger Lefevre Hastings Visser Colombo Sokolova Marsh Goodwin Romero Dahl Nowak
Girard Holm Parker Ferrari Bakker Gruber Steiner Whitaker Greco Hofer Doherty Cerny Nystrom
Baumann Fontaine Kato Moser Richter Webster Pichler Turner Ekman Klein Chaudhry Roux Janssen
Winkler Quinn""".split()
LIFTS = """Talbahn;Sonnenhang;Gipfelexpress;Hexenkessel;Bärenbahn;Panorama;Zirbenlift;Almrausch;
Kinderland;Nordkar;Steinbock;Schwarzsee;Murmel;Adlerhorst;Alm;Gletscherblick;Wildbach;Rosskopf"""
SLOPES_A = """Adler Birken Dachs Enzian Fuchs Gams Hirsch Kar Lärchen Mühl Nebel Raben Schatten
Tannen Wald Wolfs Kessel Himmel Silber Kaiser Hütten Jäger""".split()
SLOPES_B = ["run", "piste", "hang", "weg", "abfahrt"]
COUNTRIES = ["Austria", "Germany", "Netherlands", "United Kingdom", "Czechia", "Denmark", "Italy"]
PRICES = {"half day": 39.5, "day": 54.5, "3 days": 149.5, "6 days": 279.5, "season": 690.0}
DAYS = {"half day": 1, "day": 1, "3 days": 3, "6 days": 6, "season": 120}
AGES = {"child": 0.5, "youth": 0.75, "adult": 1, "senior": 0.9}


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` a random number generator."
    db.executescript("""
CREATE TABLE lifts (id INTEGER PRIMARY KEY, name TEXT, type TEXT, length_m INTEGER,
  bottom_altitude_m INTEGER, top_altitude_m INTEGER, capacity_per_hour INTEGER, built INTEGER,
  status TEXT);
CREATE TABLE slopes (id INTEGER PRIMARY KEY, name TEXT, colour TEXT, length_m INTEGER,
  drop_m INTEGER, groomed TEXT, snowmaking TEXT, status TEXT);
CREATE TABLE slope_lifts (slope_id INTEGER REFERENCES slopes(id),
  lift_id INTEGER REFERENCES lifts(id), PRIMARY KEY (slope_id, lift_id));
CREATE TABLE instructors (id INTEGER PRIMARY KEY, name TEXT, discipline TEXT, languages TEXT,
  since INTEGER, hourly_rate REAL, boss_id INTEGER REFERENCES instructors(id));
CREATE TABLE guests (id INTEGER PRIMARY KEY, name TEXT, country TEXT, birth_year INTEGER,
  height_cm INTEGER, ability TEXT, hotel TEXT);
CREATE TABLE passes (id INTEGER PRIMARY KEY, guest_id INTEGER REFERENCES guests(id), type TEXT,
  age_group TEXT, valid_from TEXT, valid_to TEXT, price REAL, payment TEXT);
CREATE TABLE lessons (id INTEGER PRIMARY KEY, instructor_id INTEGER REFERENCES instructors(id),
  guest_id INTEGER REFERENCES guests(id), slope_id INTEGER REFERENCES slopes(id), date TEXT,
  kind TEXT, hours INTEGER, price REAL, rating INTEGER);
""")
    lifts = []
    for i, nm in enumerate(LIFTS.replace("\n", " ").split(";"), 1):
        kind = rng.choices(["gondola", "chairlift", "drag lift"], [3, 8, 5])[0]
        kind = "magic carpet" if nm.strip() in ("Kinderland", "Murmel") else kind
        low, high, cap, steep = {
            "gondola": (1500, 2900, 2800, 3.2),
            "chairlift": (800, 2000, 2200, 3.6),
            "drag lift": (300, 900, 1000, 4.2),
            "magic carpet": (60, 150, 700, 9),
        }[kind]
        length = rng.randint(low // 10, high // 10) * 10
        bottom = rng.choice([1050, 1120, 1340, 1460, 1580, 1710, 1835])
        bottom = 1050 if kind == "magic carpet" or i == 1 else bottom
        top = bottom + int(length / steep)
        built = rng.randint(1972, 1999) if kind == "drag lift" else rng.randint(1986, 2023)
        status = rng.choices(["open", "closed", "on hold", "maintenance"], [13, 2, 2, 1])[0]
        cap += rng.randint(-3, 4) * 100
        lifts.append((i, nm.strip(), kind, length, bottom, top, cap, built, status))
    db.executemany("INSERT INTO lifts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", lifts)
    slopes, links = [], []
    for i, nm in enumerate(rng.sample([a + b for a in SLOPES_A for b in SLOPES_B], 64), 1):
        colour = rng.choices(["green", "blue", "red", "black"], [12, 26, 19, 7])[0]
        lift = rng.choice([x for x in lifts if x[2] != "magic carpet" or colour == "green"])
        ratio = {"green": 9, "blue": 6, "red": 4.2, "black": 3}[colour]
        drop = min(lift[5] - lift[4], rng.randint(60, 420))
        length = int(drop * (ratio + rng.uniform(-0.4, 0.8))) // 10 * 10
        groomed = {"black": "never", "red": "twice a week"}.get(colour, "daily")
        groomed = "daily" if colour == "red" and rng.random() < 0.6 else groomed
        snow = "yes" if rng.random() < (0.3 if colour == "black" else 0.7) else "no"
        status = "closed" if lift[8] == "closed" else rng.choices(["open", "closed"], [88, 12])[0]
        slopes.append((i, nm, colour, length, drop, groomed, snow, status))
        close = [x for x in lifts if abs(x[5] - lift[5]) < 200 and x != lift]
        more = rng.sample(close, min(len(close), rng.choice([0, 0, 1, 1, 2])))
        links += [(i, x[0]) for x in sorted([lift, *more])]
    db.executemany("INSERT INTO slopes VALUES (?, ?, ?, ?, ?, ?, ?, ?)", slopes)
    db.executemany("INSERT INTO slope_lifts VALUES (?, ?)", links)
    names = rng.sample([f"{f} {n}" for f in FIRST for n in LAST], 24 + 180)
    teachers = []
    for i in range(1, 25):
        what = rng.choices(["ski", "snowboard", "cross-country", "freestyle"], [14, 6, 3, 2])[0]
        langs = "German, English" + rng.choice(
            ["", "", ", Italian", ", Dutch", ", French", ", Czech"]
        )
        since = rng.randint(1994, 2004) if i < 4 else rng.randint(2005, 2024)
        boss = None if i == 1 else 1 if i < 4 else rng.choice([1, 2, 2, 3, 3])
        rate = 48 + (2025 - since) * 0.5 + (6 if what == "freestyle" else 0)
        teachers.append((i, names[i - 1], what, langs, since, rate, boss))
    db.executemany("INSERT INTO instructors VALUES (?, ?, ?, ?, ?, ?, ?)", teachers)
    hotels = [
        "Hotel Post",
        "Alpenrose",
        "Haus Bergfried",
        "Pension Lisl",
        "Youth Hostel",
        "Chalet Edel",
    ]
    guests, passes = [], []
    for i, nm in enumerate(names[24:], 1):
        born = rng.choices([rng.randint(2009, 2018), rng.randint(1962, 2006), 1955], [25, 70, 5])[0]
        age = 2025 - born
        tall = int(rng.gauss(172, 9)) if age > 16 else int(rng.gauss(82 + 5.7 * age, 4))
        skill = rng.choices(["beginner", "intermediate", "advanced", "expert"], [38, 34, 20, 8])[0]
        skill = "beginner" if age < 9 else skill
        hotel = None if rng.random() < 0.17 else rng.choices(hotels, [30, 22, 15, 12, 14, 7])[0]
        home = rng.choices(COUNTRIES, [24, 32, 15, 11, 8, 5, 5])[0]
        guests.append((i, nm, home, born, tall, skill, hotel))
        group = "child" if age < 16 else "youth" if age < 20 else "senior" if age > 62 else "adult"
        day = date(2024, 12, 14) + timedelta(days=rng.randint(0, 105))
        for _ in range(rng.choices([1, 2, 3], [70, 24, 6])[0]):
            kind = rng.choices(list(PRICES), [12, 32, 18, 33, 5])[0]
            day = date(2024, 12, 7) if kind == "season" else day
            last = min(day + timedelta(days=DAYS[kind] - 1), date(2025, 4, 21))
            price = round(PRICES[kind] * AGES[group] * 2) / 2
            pay = rng.choices(["card", "cash", "online"], [45, 15, 40])[0]
            passes.append((day.isoformat(), i, kind, group, last.isoformat(), price, pay))
            if kind == "season":
                break
            day = last + timedelta(days=rng.randint(1, 4))
    db.executemany("INSERT INTO guests VALUES (?, ?, ?, ?, ?, ?, ?)", guests)
    passes.sort()
    rows = [(n, p[1], p[2], p[3], p[0], *p[4:]) for n, p in enumerate(passes, 1)]
    db.executemany("INSERT INTO passes VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    colours = {"beginner": ["green", "blue"], "intermediate": ["blue", "red"]}
    rows = []
    for p in passes:
        if p[2] == "half day" or rng.random() < 0.3:
            continue
        t = min(rng.choice(teachers), rng.choice(teachers))
        want = colours.get(guests[p[1] - 1][5], ["red", "black"])
        slope = rng.choice([s[0] for s in slopes if s[2] in want])
        kind = rng.choices(
            ["group", "private", "kids' club"], [50, 35, 0 if p[3] != "child" else 60]
        )[0]
        hours = rng.choice([2, 3, 4] if kind != "private" else [1, 1, 2, 2, 3])
        cost = hours * (t[5] if kind == "private" else 16.5)
        stars = None if rng.random() < 0.18 else rng.choices([1, 2, 3, 4, 5], [2, 5, 15, 38, 40])[0]
        rows.append((t[0], p[1], slope, p[0], kind, hours, cost, stars))
    db.executemany("INSERT INTO lessons VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
