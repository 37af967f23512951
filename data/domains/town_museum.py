"""A town museum: artworks and their artists, the galleries, exhibitions and loans to others."""

PEOPLE = {
    "British": (
        "Edith Walter Harriet Cedric Muriel Alfred Nora Gilbert Winifred Hugh Dorothy Percy",
        "Ashworth Pemberton Holloway Thackray Birch Garside Lockwood Ormerod Penhale Whitlow",
    ),
    "Dutch": ("Pieter Johanna Willem Saskia Cornelis Griet", "Verhulst Brandsma Kuiper Zijlstra"),
    "French": ("Lucien Odile Armand Mathilde Gaston Solange", "Lacombe Dufresne Marchand Vasseur"),
    "Italian": ("Vittorio Chiara Ettore Bianca Ugo", "Bellandi Corsini Marangoni Ferrero"),
    "German": ("Konrad Liesel Emil Hedwig", "Brandt Eichler Vogelsang Reinhardt"),
    "Nigerian": ("Chidi Ngozi Tunde", "Okonjo Adeyemi Balogun"),
    "Japanese": ("Haruki Michiko Kenji", "Tanabe Morikawa Fujita"),
    "Polish": ("Zofia Stanislaw Halina", "Kowalczyk Zielinska Nowicki"),
}
SCENES = """Harbour|Old Mill|Market Square|River Bend|Orchard|Fishing Boats|Canal Bridge|Birch Wood
|Railway Yard|Wheat Field|Chapel|Brickworks|Cliffs|Washing Day|Ferry|Allotments|Horse Fair"""
MOODS = "at Dawn|in Winter|after Rain|in the Fog|by Moonlight|in August|from the Hill|at Low Tide"
FIGURES = "Seated Woman|Boy|Old Man|Girl|Fisherman|Dancer|Weaver|Widow|Bather|Shepherd|Nurse"
WITHS = "with a Dog|with Oranges|in Blue|Reading|at the Window|with a Lamp|Asleep|in a Red Hat"
MEDIA = {
    "oil on canvas": (42, 6000),
    "watercolour": (22, 900),
    "etching": (12, 400),
    "bronze": (6, 8000),
    "photograph": (9, 500),
    "charcoal": (6, 600),
    "textile": (3, 1500),
}
GALLERIES = [
    (1, "North Gallery", "ground", 140, 60),
    (2, "South Gallery", "ground", 125, 55),
    (3, "Rotunda", "ground", 90, 40),
    (4, "Print Room", "first", 48, 20),
    (5, "Long Corridor", "first", 76, 30),
    (6, "Sculpture Court", "ground", 210, 120),
    (7, "Founders' Room", "first", 64, 25),
    (8, "Studio Annexe", "basement", 85, 35),
]
SHOWS = """Light on Water|Hands at Work|The Quiet Room|Northern Skies|Faces of the Town|Red|Tides
|A Century of Gardens|Coal and Steam|Women at the Easel|Small Things|Paper and Ink|Winter Show
|The Collector's Eye|Across the Channel|Threads|Night Pieces|Strange Weather|Home Front|Unfinished
|Drawn from Life|Bread and Salt|Silver Prints|The Working River|Open Windows|Childhood|Animals
|New Acquisitions|Far from Home|Summer Show|The Fairground|Shorelines"""
BORROWERS = [
    ("Harrowgate City Art Gallery", "Harrowgate"),
    ("Kelderby Museum", "Kelderby"),
    ("Museum De Linde", "Utrecht"),
    ("Westmere College", "Westmere"),
    ("Musée des Quais", "Rouen"),
    ("Saltash Maritime Centre", "Saltash"),
    ("Kunsthaus am Wall", "Bremen"),
]
CURATORS = ["Priya Nair", "Tom Ellery", "Agnes Whitcombe", "Rafael Osei", "Judith Marsh"]


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` the source of chance."
    db.executescript("""
CREATE TABLE galleries (gallery_id INTEGER PRIMARY KEY, name TEXT, floor TEXT, area_m2 INTEGER,
    max_visitors INTEGER);
CREATE TABLE artists (artist_id INTEGER PRIMARY KEY, name TEXT, nationality TEXT,
    birth_year INTEGER, death_year INTEGER);
CREATE TABLE artworks (artwork_id INTEGER PRIMARY KEY, title TEXT,
    artist_id INTEGER REFERENCES artists(artist_id), year_made INTEGER, medium TEXT,
    height_cm REAL, width_cm REAL, gallery_id INTEGER REFERENCES galleries(gallery_id),
    acquired_year INTEGER, acquired_by TEXT, insured_value INTEGER);
CREATE TABLE exhibitions (exhibition_id INTEGER PRIMARY KEY, title TEXT, curator TEXT,
    gallery_id INTEGER REFERENCES galleries(gallery_id), year INTEGER, days_open INTEGER,
    visitors INTEGER, ticket_price REAL);
CREATE TABLE exhibition_artworks (exhibition_id INTEGER REFERENCES exhibitions(exhibition_id),
    artwork_id INTEGER REFERENCES artworks(artwork_id), label_no INTEGER,
    PRIMARY KEY (exhibition_id, artwork_id));
CREATE TABLE loans (loan_id INTEGER PRIMARY KEY, artwork_id INTEGER REFERENCES artworks(artwork_id),
    borrower TEXT, city TEXT, year_out INTEGER, year_returned INTEGER, fee INTEGER, status TEXT);
""")
    db.executemany("INSERT INTO galleries VALUES (?, ?, ?, ?, ?)", GALLERIES)
    names = []
    for country, (firsts, lasts) in PEOPLE.items():
        pairs = [(f"{f} {s}", country) for f in firsts.split() for s in lasts.split()]
        names += rng.sample(pairs, min(26, len(pairs) // 2 - len(pairs) // 8))
    rng.shuffle(names)
    artists, lives = [], {}
    for i, (name, country) in enumerate(names, 1):
        born = int(rng.triangular(1795, 1988, 1885))
        died = born + int(rng.triangular(34, 96, 76))
        died = None if died > 2023 or (born > 1940 and rng.random() < 0.8) else died
        lives[i] = (born, died or 2023, rng.paretovariate(1.2))
        artists.append((i, name, country, None if rng.random() < 0.08 else born, died))
    db.executemany("INSERT INTO artists VALUES (?, ?, ?, ?, ?)", artists)
    titles = [f"{a} {b}" for a in SCENES.replace("\n", "").split("|") for b in MOODS.split("|")]
    titles += [f"{a} {b}" for a in FIGURES.split("|") for b in WITHS.split("|")]
    works = []
    for i, title in enumerate(rng.sample(titles, 190), 1):
        artist = rng.choices(list(lives), [min(v[2], 9) for v in lives.values()])[0]
        born, last, fame = lives[artist]
        made = rng.randint(born + 20, max(born + 21, last))
        figure = any(title.startswith(f + " ") for f in FIGURES.split("|"))
        while True:
            medium = rng.choices(list(MEDIA), [w for w, _ in MEDIA.values()])[0]
            if (medium != "bronze" or figure) and (medium != "photograph" or made > 1870):
                break
        height = round(rng.triangular(18, 160, 50) * (0.5 if medium == "etching" else 1), 1)
        width = round(height * (rng.uniform(0.55, 0.85) if figure else rng.uniform(1.1, 1.6)), 1)
        value = round(MEDIA[medium][1] * (0.5 + height / 80) * min(fame, 12), -3) or 500
        got = rng.randint(max(1911, made + 1), 2024)
        how = rng.choices(["gift", "purchase", "bequest", "commission"], [45, 30, 20, 5])[0]
        room = {"bronze": 6, "etching": 4}.get(medium) or rng.choice([1, 1, 2, 3, 5, 7])
        works.append(
            (i, title, artist if rng.random() > 0.05 else None)
            + (made if rng.random() > 0.15 else None, medium, height, width)
            + (room if rng.random() > 0.18 else None, got, how, int(value))
        )
    db.executemany(f"INSERT INTO artworks VALUES ({', '.join('?' * 11)})", works)
    shows, hung = [], []
    for i, title in enumerate(rng.sample(SHOWS.replace("\n", "").split("|"), 30), 1):
        year, room = 1994 + i, rng.choice([1, 1, 2, 2, 3, 5, 8])
        days = rng.choice([45, 60, 60, 75, 90])
        price = rng.choices([0.0, 3.5, 5.0, 6.5, 8.0], [8, 6, 8, 5, 3])[0]
        people = int(days * rng.triangular(18, 140, 40))
        shows.append((i, title, rng.choice(CURATORS), room, year, days, people, price))
        ready = [w[0] for w in works if w[8] <= year]
        for n, work in enumerate(rng.sample(ready, rng.randint(7, 14)), 1):
            hung.append((i, work, n))
    db.executemany("INSERT INTO exhibitions VALUES (?, ?, ?, ?, ?, ?, ?, ?)", shows)
    db.executemany("INSERT INTO exhibition_artworks VALUES (?, ?, ?)", hung)
    loans = []
    for work in rng.sample([w for w in works if w[8] < 2020], 68):
        out = rng.randint(max(1998, work[8] + 1), 2024)
        back = out + rng.choice([0, 1, 1, 1, 2, 3])
        back = None if back > 2024 or (out == 2024 and rng.random() < 0.5) else back
        where = rng.choices(BORROWERS, [8, 6, 4, 3, 3, 2, 2])[0]
        fee = rng.choice([0, 0, 150, 250, 250, 400, 750])
        loans.append((work[0], *where, out, back, fee, "returned" if back else "on loan"))
    loans = [(i, *r) for i, r in enumerate(sorted(loans, key=lambda r: (r[3], r[0])), 1)]
    db.executemany("INSERT INTO loans VALUES (?, ?, ?, ?, ?, ?, ?, ?)", loans)
