"""A school orchestra: musicians, instruments, concerts and their programmes, and rehearsals."""

import datetime

FIRST = """Abena Benjamin Chloe Daniel Emily Farhan Georgia Harry Isabel Jakub Kezia Leo Mina Nathan
Olivia Priya Quincy Rebecca Samuel Tamsin Usha Victor Willow Xander Yasmin Zachary Anya Bilal Clara
Dominic Esme Felix Gwen Hiro Ines Joseph Katie Lars Megan Noor""".split()
LAST = """Ahmed Barlow Chen Dawson Edwards Fairclough Gupta Hargreaves Islam Johnson Kozlowski Lewis
Mbatha Nguyen Owens Patterson Rahman Sanderson Thornton Upton Vickers Walker Xu Young Atkinson Bell
Carter Davies Ellis Foster Graham Hill Ingram Joshi Knight Lane""".split()
KINDS = {
    "Violin": ("Strings", 20, 480),
    "Cello": ("Strings", 7, 1150),
    "Double Bass": ("Strings", 3, 2100),
    "Flute": ("Woodwind", 7, 520),
    "Clarinet": ("Woodwind", 7, 450),
    "Trumpet": ("Brass", 5, 430),
    "French Horn": ("Brass", 3, 1900),
    "Trombone": ("Brass", 4, 620),
    "Tuba": ("Brass", 1, 2800),
    "Timpani": ("Percussion", 1, 5200),
    "Snare Drum": ("Percussion", 2, 240),
}
MAKERS = {"Strings": "Stentwood|Primavera|Hidersine", "Woodwind": "Buffard|Trevor Jones|Odyssia"}
MAKERS |= {"Brass": "Besserman|Jupiter Brass|Odyssia", "Percussion": "Premier Drum Co|Adamson"}
COMPOSERS = """Anton Hellriegel|Clara Westbrook|Ferenc Dobos|Luis Cárdenas|Maud Ellery-Price
|Sven Ahlqvist|Nadezhda Orlova|traditional|Ifeoma Eze""".replace("\n", "")
FORMS = """Symphony No. 2 in D|Overture: The Miller's Daughter|Four Harbour Dances|Winter Suite
|Serenade for Strings|March of the Lanterns|Little Waltz|Concertino for Flute|Spanish Fantasy
|Fanfare for a Summer Day|Symphony No. 5 in C minor|The Forest at Night|Lullaby|Rondo alla Polka
|Elegy|Sleigh Bells|Hornpipe|Three Carols|Variations on a Sea Song|Trumpet Voluntary in B flat
|The Snow Queen (Suite)|Romance for Cello|Pavane|Tango for Two Clarinets|Symphony No. 1 in G
|Scottish Airs|Ballet Music from Rosalind|Night Train|Overture in F|Gigue|Hungarian Sketches
|Summer Evening|Minuet and Trio|The Clockmaker|Jubilee March|Nocturne|Rain Dance|Sinfonietta
|Canon for Brass|Procession|Film Suite: Starfall|Bolero|Mountain Songs|Divertimento in A
|Tarantella|Prelude and Fugue|Song without Words|Galop|Barcarolle|Intermezzo|Pastoral Scenes
|Toccata|Christmas Medley|Gavotte|Hymn for Peace|Folk Songs from Norway|The Toy Cupboard
|Capriccio|Polonaise|Humoresque""".replace("\n", "").split("|")
CONCERTS = [
    ("Autumn Concert", (2022, 10, 21), "School Hall", 3.5),
    ("Christmas Concert", (2022, 12, 14), "St Anne's Church", 5.0),
    ("Spring Concert", (2023, 3, 24), "School Hall", 3.5),
    ("Open Day", (2023, 5, 13), "Playground", 0.0),
    ("Summer Gala", (2023, 7, 6), "Town Theatre", 8.0),
    ("Autumn Concert", (2023, 10, 20), "School Hall", 4.0),
    ("Christmas Concert", (2023, 12, 13), "St Anne's Church", 6.0),
    ("Spring Concert", (2024, 3, 22), "School Hall", 4.0),
    ("Summer Gala", (2024, 7, 4), "Town Theatre", 9.5),
]
SEATS = {"School Hall": 220, "St Anne's Church": 310, "Town Theatre": 480}


def typed(when):
    return f"{when.day} {when:%b} {when.year}"


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` the source of chance."
    db.executescript("""
CREATE TABLE "Instruments" ("Instrument No" INTEGER PRIMARY KEY, "Kind" TEXT, "Section" TEXT,
    "Maker" TEXT, "Year Bought" INTEGER, "Value" REAL, "Condition" TEXT, "Case Number" TEXT);
CREATE TABLE "Musicians" ("Musician ID" INTEGER PRIMARY KEY, "Full Name" TEXT, "Form" TEXT,
    "Date of Birth" TEXT, "Grade" INTEGER, "Section" TEXT, "Joined" TEXT, "Leader" TEXT,
    "Instrument No" INTEGER REFERENCES "Instruments"("Instrument No"));
CREATE TABLE "Concerts" ("Concert ID" INTEGER PRIMARY KEY, "Concert Name" TEXT, "Date" TEXT,
    "Venue" TEXT, "Ticket Price" REAL, "Audience" INTEGER, "Takings" REAL);
CREATE TABLE "Pieces" ("Piece ID" INTEGER PRIMARY KEY, "Title" TEXT, "Composer" TEXT,
    "Minutes" REAL, "Difficulty" TEXT, "Bought On" TEXT, "Score Cost" REAL);
CREATE TABLE "Concert Programme" ("Concert ID" INTEGER REFERENCES "Concerts"("Concert ID"),
    "Piece ID" INTEGER REFERENCES "Pieces"("Piece ID"), "Position" INTEGER, "Encore" TEXT,
    "Soloist ID" INTEGER REFERENCES "Musicians"("Musician ID"),
    PRIMARY KEY ("Concert ID", "Piece ID"));
CREATE TABLE "Rehearsal Attendance" (
    "Musician ID" INTEGER REFERENCES "Musicians"("Musician ID"), "Rehearsal Date" TEXT,
    "Status" TEXT, "Minutes Late" INTEGER, "Excuse" TEXT,
    PRIMARY KEY ("Musician ID", "Rehearsal Date"));
""")
    date, day = datetime.date, datetime.timedelta(days=1)

    items = []
    for kind, (section, many, cost) in KINDS.items():
        for _ in range(many):
            year = int(rng.triangular(2004, 2024, 2018))
            wear = rng.choices([0, 1, 2, 3], [1 + (year > 2020) * 4, 6, 3, 1])[0]
            state = ["Excellent", "Good", "Fair", "Needs repair"][wear]
            value = round(cost * rng.uniform(0.8, 1.3) * (1 - wear * 0.18), -1)
            case = f"{kind[0]}{rng.randint(100, 999)}" if rng.random() < 0.88 else None
            maker = rng.choice(MAKERS[section].split("|"))
            items.append((len(items) + 1, kind, section, maker, year, value, state, case))
    db.executemany('INSERT INTO "Instruments" VALUES (?, ?, ?, ?, ?, ?, ?, ?)', items)
    usable = rng.sample([item for item in items if item[6] != "Needs repair"], 50)
    players, leaders = [], []
    for i, name in enumerate(rng.sample([f"{f} {s}" for f in FIRST for s in LAST], 62), 1):
        item = usable[i - 1] if i <= 50 else (None, None, "Strings")
        year = rng.choices([7, 8, 9, 10, 11, 12, 13], [10, 12, 12, 10, 8, 6, 4])[0]
        born = date(2018 - year, 9, 1) + rng.randint(0, 364) * day
        grade = max(1, min(8, round((year - 5) * 0.95 + rng.gauss(0.3, 1.1))))
        grade = grade if rng.random() < 0.92 else None
        joined = date(2024 - rng.randint(1, year - 6), 9, 5) + rng.randint(0, 40) * day
        leader = "Yes" if year >= 11 and item[2] not in leaders else "No"
        leaders += [item[2]] if leader == "Yes" else []
        row = (i, name, f"{year}{rng.choice('ABC')}", typed(born), grade, item[2], typed(joined))
        players.append((*row, leader, item[0]))
    db.executemany('INSERT INTO "Musicians" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)', players)
    pieces = []
    for i, title in enumerate(rng.sample(FORMS, len(FORMS)), 1):
        level = rng.choices(["Easy", "Medium", "Hard"], [35, 45, 20])[0]
        long = rng.uniform(14, 27) if "Symphony" in title else rng.triangular(2, 12, 4)
        bought = date(2012, 1, 8) + rng.randint(0, 3800) * day if rng.random() < 0.9 else None
        cost = 15 + int(long * rng.uniform(3, 6)) + 0.5 if bought else None
        who = rng.choices(COMPOSERS.split("|"), [9, 8, 7, 6, 5, 4, 4, 8, 3])[0]
        pieces.append((i, title, who, round(long, 1), level, bought and typed(bought), cost))
    db.executemany('INSERT INTO "Pieces" VALUES (?, ?, ?, ?, ?, ?, ?)', pieces)
    concerts, programme, loved = [], [], [rng.paretovariate(1.5) for _ in pieces]
    for i, (name, when, venue, price) in enumerate(CONCERTS, 1):
        crowd = int(SEATS.get(venue, 70) * rng.uniform(0.55, 0.98))
        concerts.append((i, name, typed(date(*when)), venue, price, crowd, crowd * price))
        played = []
        while len(played) < (5 if price == 0 else 8):
            piece = rng.choices(pieces, loved)[0]
            wintry = any(word in piece[1] for word in ("Carol", "Christmas", "Sleigh"))
            if piece[0] not in played and (not wintry or "Christmas" in name):
                played.append(piece[0])
                encore = "Yes" if len(played) == 8 and rng.random() < 0.7 else "No"
                solo = rng.randint(1, 62) if rng.random() < 0.25 else None
                programme.append((i, piece[0], len(played), encore, solo))
    db.executemany('INSERT INTO "Concerts" VALUES (?, ?, ?, ?, ?, ?, ?)', concerts)
    db.executemany('INSERT INTO "Concert Programme" VALUES (?, ?, ?, ?, ?)', programme)
    seen = []
    lazy = {p[0]: rng.betavariate(1.2, 6) for p in players}
    for week in range(6):
        when = typed(date(2024, 5, 22) + 7 * week * day)
        for player in lazy:
            away = rng.random() < lazy[player]
            late = not away and rng.random() < lazy[player] + 0.04
            why = rng.choice(["ill", "ill", "school trip", "exam", None]) if away else None
            status = "Absent" if away else "Late" if late else "Present"
            minutes = rng.choice([5, 5, 10, 10, 15, 20, 30]) if late else None if away else 0
            seen.append((player, when, status, minutes, why))
    db.executemany('INSERT INTO "Rehearsal Attendance" VALUES (?, ?, ?, ?, ?)', seen)
