"""A photo archive: photographers, their albums and photos, tags on the photos, print orders."""

from datetime import datetime, timedelta

FIRST = """Elin Marcel Joanna Takumi Delphine Ade Rory Svetlana Ignacio Pippa Walid Greta Samir Tove
Caspian Meera Flora Anton Lucie Desmond Hiromi Brendan Nives Olga Tariro Jasper Alba Kurt Mina
Rosalie Vikram Edda Fergus Paloma Thijs Wanda Yaw Iris Lorenzo Cleo""".split()
LAST = """Sandberg Thibault Kaczmarek Inoue Carvalho Olatunji Mackay Belova Quintana Warwick Nasr
Fleischer Dhawan Holmberg Tennant Pillai Ashby Gruber Lachance Mbeki Shimizu Corrigan Kovac Pavlenko
Moyo Ferris Sorolla Brenner Achterberg Sarkar Vinter Burnside Ocampo Boateng Lukacs
Weller""".split()
# camera, sensor, megapixels, highest ISO, first year
CAMERAS = """Nikon D750,full frame,24.3,12800,2014;Canon EOS 5D Mark IV,full frame,30.4,25600,2016;
Fujifilm X-T3,APS-C,26.1,12800,2018;Sony A7 III,full frame,24.2,25600,2018;
Canon EOS 80D,APS-C,24.2,12800,2016;Olympus OM-D E-M5,micro four thirds,16.1,6400,2013;
Nikon Z6 II,full frame,24.5,25600,2020;iPhone 12,phone,12.2,3200,2020;
Hasselblad X1D,medium format,51.3,6400,2017"""
PLACES = """Lofoten,Norway;Lisbon,Portugal;Kyoto,Japan;Edinburgh,Scotland;Marrakesh,Morocco;
Dolomites,Italy;Reykjavik,Iceland;Seville,Spain;Hoi An,Vietnam;Snowdonia,Wales;Vienna,Austria;
Zanzibar,Tanzania;Oaxaca,Mexico;Gdansk,Poland;Cape Town,South Africa;Patagonia,Argentina;
Skye,Scotland;Jaipur,India"""
KINDS = {"LANDSCAPE": 20, "STREET": 15, "WEDDING": 10, "WILDLIFE": 9, "PORTRAIT": 8, "SPORT": 4}
SUBJECTS = {
    "LANDSCAPE": "harbour,ridge,waterfall,lighthouse,valley,beach,old bridge,lone tree,glacier",
    "STREET": "market stall,tram stop,umbrella,busker,old man with dog,neon sign,stairs,bicycle",
    "WEDDING": "first dance,the rings,bouquet,the vows,cake cutting,confetti,speech",
    "WILDLIFE": "red deer,puffin,osprey,fox cub,grey seal,kingfisher,elephant,heron",
    "PORTRAIT": "fisherman,potter,violinist,grandmother,twins,baker,dancer",
    "SPORT": "start line,the finish,jump,goalkeeper,sprint,podium",
}
TAGS = """SUBJECT,people;LIGHT,sunset;SUBJECT,sea;STYLE,black and white;SUBJECT,city;SUBJECT,animal;
WEATHER,snow;LIGHT,night;SUBJECT,mountain;LIGHT,blue hour;SUBJECT,flowers;STYLE,macro;WEATHER,fog;
STYLE,long exposure;SUBJECT,children;SUBJECT,architecture;SUBJECT,food;WEATHER,rain;
STYLE,silhouette"""
MOODS = "at dawn,in the rain,at dusk,no. 2,close up,from above,in fog,backlit".split(",")
PRICES = {"A4": 24.5, "A3": 39.5, "A2": 69.0, "50x70": 89.0, "70x100": 139.0}
LENSES = {"WILDLIFE": [300, 400, 600], "SPORT": [200, 400], "PORTRAIT": [50, 85, 105]}
HOMES = ["United Kingdom", "Germany", "Sweden", "Spain", "Japan", "India", "Netherlands"]
PAPERS = {"matte": 1, "glossy": 1, "baryta": 1.4, "canvas": 1.6}


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` a random number generator."
    db.executescript("""
CREATE TABLE PHOTOGRAPHERS (PHOTOGRAPHER_ID INTEGER PRIMARY KEY, FULL_NAME TEXT, COUNTRY TEXT,
  BORN INTEGER, SPECIALITY TEXT, MAIN_CAMERA TEXT, MEMBER_SINCE TEXT, DAY_RATE REAL,
  ASSISTANT_OF INTEGER REFERENCES PHOTOGRAPHERS(PHOTOGRAPHER_ID));
CREATE TABLE ALBUMS (ALBUM_ID INTEGER PRIMARY KEY, TITLE TEXT UNIQUE,
  PHOTOGRAPHER_ID INTEGER REFERENCES PHOTOGRAPHERS(PHOTOGRAPHER_ID), KIND TEXT, PLACE TEXT,
  COUNTRY TEXT, SHOT_FROM TEXT, SHOT_TO TEXT, VISIBILITY TEXT);
CREATE TABLE PHOTOS (PHOTO_ID INTEGER PRIMARY KEY, FILE_NAME TEXT UNIQUE, TITLE TEXT,
  ALBUM_ID INTEGER REFERENCES ALBUMS(ALBUM_ID), TAKEN_AT TEXT, CAMERA TEXT, SENSOR TEXT,
  ISO INTEGER, FOCAL_LENGTH_MM INTEGER, APERTURE REAL, MEGAPIXELS REAL, FILE_SIZE_MB REAL,
  ORIENTATION TEXT, RATING INTEGER);
CREATE TABLE TAGS (TAG_ID INTEGER PRIMARY KEY, TAG TEXT UNIQUE, TAG_GROUP TEXT);
CREATE TABLE PHOTO_TAGS (PHOTO_ID INTEGER REFERENCES PHOTOS(PHOTO_ID),
  TAG_ID INTEGER REFERENCES TAGS(TAG_ID), PRIMARY KEY (PHOTO_ID, TAG_ID));
CREATE TABLE PRINT_ORDERS (ORDER_ID INTEGER PRIMARY KEY,
  PHOTO_ID INTEGER REFERENCES PHOTOS(PHOTO_ID), CUSTOMER TEXT, ORDERED_ON TEXT, SHIPPED_ON TEXT,
  PRINT_SIZE TEXT, PAPER TEXT, COPIES INTEGER, UNIT_PRICE REAL, TOTAL REAL, STATUS TEXT);
""")
    places = [p.strip().split(",") for p in PLACES.split(";")]
    crew, albums, photos, tagged = [], [], [], []
    cameras = [c.strip().split(",") for c in CAMERAS.split(";")]
    cameras = [(n, s, float(mp), int(iso), int(year)) for n, s, mp, iso, year in cameras]
    for i, nm in enumerate(rng.sample([f"{f} {n}" for f in FIRST for n in LAST], 24), 1):
        kind = list(KINDS)[i - 1] if i <= 6 else rng.choices(list(KINDS), KINDS.values())[0]
        cam = rng.choices(cameras, [10, 9, 8, 8, 6, 4, 5, 2, 2])[0]
        since = (datetime(2016, 2, 1) + timedelta(days=i * 60 + rng.randint(0, 50))).date()
        rate = rng.choice([280, 320, 350, 400, 450, 520, 600]) + 150 * (kind == "WEDDING")
        boss = rng.randint(1, 8) if i > 8 and rng.random() < 0.35 else None
        home, born = rng.choices(HOMES, [8, 5, 3, 3, 2, 2, 2])[0], rng.randint(1955, 1998)
        row = (i, nm, home, born, kind, cam[0], since.isoformat())
        crew.append((*row, 180 if boss else rate, boss))
    db.executemany("INSERT INTO PHOTOGRAPHERS VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", crew)
    tags = [t.strip().split(",") for t in TAGS.split(";")]
    spread = [1 / (k + 2) ** 0.6 for k in range(len(tags))]
    while len(albums) < 60:
        n = len(albums) + 1
        who = min(rng.choice(crew), rng.choice(crew))
        kind = who[4] if rng.random() < 0.8 else rng.choices(list(KINDS), KINDS.values())[0]
        place, land = rng.choice(places)
        start = datetime.fromisoformat(who[6]) + timedelta(days=rng.randint(700, 2400))
        start = min(start, datetime(2025, 1, 20) - timedelta(days=rng.randint(0, 300)))
        days = 1 if kind in ("WEDDING", "SPORT") else rng.randint(1, 12)
        title = f"{place} {kind.capitalize()} {start.year}"
        if kind == "WEDDING":
            title = f"{' & '.join(rng.sample(FIRST, 2))}, {place} {start.year}"
        if title in [a[1] for a in albums]:
            continue
        seen = rng.choices(["PUBLIC", "PRIVATE", "CLIENT ONLY"], [62, 20, 18])[0]
        seen = rng.choice(["PRIVATE", "CLIENT ONLY"]) if kind == "WEDDING" else seen
        row = (n, title, who[0], kind, place, land, start.date().isoformat())
        albums.append((*row, (start + timedelta(days=days - 1)).date().isoformat(), seen))
        usable = [c for c in cameras if c[4] <= start.year]
        own = [c for c in usable if c[0] == who[5]] or usable
        words = SUBJECTS[kind].split(",")
        titles = rng.sample(words + [f"{w} {m}" for w in words for m in MOODS], 6)
        for t in titles[: rng.choice([3, 4, 4, 5, 5, 6])]:
            cam = rng.choice(own if rng.random() < 0.85 else usable)
            at = start + timedelta(days=rng.randint(0, days - 1), minutes=rng.randint(370, 1290))
            dark = at.hour > 18 or at.hour < 8 or kind in ("WEDDING", "SPORT")
            iso = rng.choice([800, 1600, 3200, 6400] if dark else [100, 100, 200, 200, 400, 800])
            mm = rng.choice([*LENSES.get(kind, [16, 24, 28, 35, 35, 50, 85]), None] * 2)
            f = rng.choice([8, 11, 11, 16] if kind == "LANDSCAPE" else [1.8, 2.8, 2.8, 4, 5.6])
            mm, f = (26, 1.6) if cam[1] == "phone" else (mm, f)
            mp = cam[2] if rng.random() < 0.75 else round(cam[2] * rng.uniform(0.55, 0.95), 1)
            way = rng.choices(["LANDSCAPE", "PORTRAIT", "SQUARE"], [64, 30, 6])[0]
            star = rng.choices([1, 2, 3, 4, 5, None], [4, 12, 36, 32, 16, 20])[0]
            row = (t[0].upper() + t[1:], n, str(at)[:16], cam[0], cam[1], min(iso, cam[3]), mm)
            row += (f, mp, round(mp * rng.uniform(0.35, 0.6), 1), way, star)
            photos.append((len(photos) + 1, f"DSC_{1040 + 7 * len(photos) + n}.jpg", *row))
            marks = dict.fromkeys(rng.choices(range(1, 20), spread, k=rng.choice([0, 1, 1, 2, 2])))
            tagged += [(len(photos), k) for k in sorted(marks)]
    db.executemany("INSERT INTO ALBUMS VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", albums)
    db.executemany(f"INSERT INTO PHOTOS VALUES ({', '.join('?' * 14)})", photos)
    db.executemany("INSERT INTO TAGS VALUES (NULL, ?, ?)", [(t, g) for g, t in tags])
    db.executemany("INSERT INTO PHOTO_TAGS VALUES (?, ?)", tagged)
    for i in range(1, 141):
        day = datetime(2025, 2, 1) + timedelta(days=i * 3 // 4)
        size = rng.choices(list(PRICES), [30, 28, 18, 14, 10])[0]
        paper = rng.choices(list(PAPERS), [40, 25, 20, 15])[0]
        copies = rng.choices([1, 2, 3, 5, 10], [70, 16, 6, 5, 3])[0]
        price = round(PRICES[size] * PAPERS[paper] * 2) / 2
        odds = [88, 7, 5, 0, 0] if i <= 130 else [0, 0, 0, 1, 1]
        status = rng.choices(["SHIPPED", "CANCELLED", "RETURNED", "NEW", "PRINTING"], odds)[0]
        gone = str(day + timedelta(days=rng.randint(2, 9)))[:10]
        gone = gone if status in ("SHIPPED", "RETURNED") else None
        photo = rng.choices(photos, [(p[13] or 1) ** 2 for p in photos])[0][0]
        row = (i, photo, f"{rng.choice(FIRST)} {rng.choice(LAST)}")
        row += (day.date().isoformat(), gone, size, paper, copies, price, copies * price, status)
        db.execute(f"INSERT INTO PRINT_ORDERS VALUES ({', '.join('?' * 11)})", row)
