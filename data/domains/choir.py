"""A choir: singers and their voice parts, songs, rehearsals with attendance, performances."""

from datetime import date, timedelta

FIRST = """Margaret Elias Joyce Tomasz Anneke Bernard Chioma Lucinda Hugh Rosalba Stefan Winnie
Gareth Priya Dagmar Theo Clementine Malcolm Yuko Solveig Patrick Imelda Conrad Nadine Kwabena
Philippa Ivo Tabitha Gregor Marisa Alun Henrietta Samir Brenda Josef Delia Marcus Cosima""".split()
LAST = """Atherton Novak Mbatha Wexford Visser Lindgren Okafor Penhaligon Crowther Marini Vasile Tan
Bowen Raman Kessler Papadimitriou Dufour Strachan Ishikawa Nordahl Gilhooly Fonseca Bauer Haddon
Asare Whitlock Horvat Prescott Lang Benedetti Meredith Sheldrake Aziz Tolland Jelinek Purcell-Wright
Garvey Reinholt""".split()
PARTS = [
    ("S1", "Soprano 1", "C4", "A5", 11),
    ("S2", "Soprano 2", "B3", "G5", 14),
    ("A1", "Alto 1", "G3", "E5", 13),
    ("A2", "Alto 2", "F3", "D5", 11),
    ("T1", "Tenor 1", "C3", "A4", 6),
    ("T2", "Tenor 2", "B2", "G4", 6),
    ("B1", "Baritone", "G2", "E4", 8),
    ("B2", "Bass", "E2", "D4", 6),
]
TITLES = {
    "folk": "Barley Moon,The Weaver's Lament,Down by the Mill,Bonny Harbour,The Lark in Clover,"
    "The Grey Selkie,Over the Fen,Shepherd's Call,Three Ravens Flying,Cold Blows the Rain",
    "sacred": "Ave Verum,Kyrie in D,Gloria Festiva,Lux Aurumque,Psalm of Thanks,Sanctus,Agnus Dei,"
    "O Magnum Mysterium,Te Deum Parvum,Evening Canticle,Locus Iste,Requiem Aeternam,Pater Noster",
    "carol": "Bells over Bethlehem,Winter Rose Carol,Holly in the Hall,Star of the Snow,Lullay,"
    "The Snow Lay Deep,Shepherds Awake,Candlelight Carol,Midnight Carol,Frost and Fire",
    "gospel": "River Carry Me,Shine On Home,Lift Every Heart,Morning Train,Higher Ground Now",
    "pop": "Paper Planes Home,City Lights,Hold the Line Tonight,Golden Summer,Dancing Alone,"
    "Seventeen Again,Letters Never Sent,Neon Rain,Back to the Coast,Two of a Kind",
    "musical": "Curtain Up,The Baker's Waltz,Not Yet Tomorrow,Act Two Blues,One More Encore",
    "opera chorus": "Chorus of the Smiths,Pilgrims' March,Harvest Wedding,Fishermen's Chorus",
    "madrigal": "Silver Swan,My Love in May,Fair Phyllida,Come Gentle Spring,Adieu Sweet Lady",
}
PEOPLE = """E. Wainwright;J. Halloran;M. Castellani;trad.;P. Lindqvist;A. Devereux;K. Osterberg;
R. Thornhill;F. Marchetti;C. Bellweather;D. Okonjo"""
VENUES = """St Mary's Church,220;Town Hall,480;Abbey Gardens,300;Corn Exchange,350;
Rosewood Care Home,60;Central Library,120;St Andrew's Church,180;Market Square,400;
Trinity College Chapel,160"""


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` a random number generator."
    db.executescript("""
CREATE TABLE voice_part (code TEXT PRIMARY KEY, name TEXT, lowest_note TEXT, highest_note TEXT,
  leader_id INTEGER REFERENCES singer(id));
CREATE TABLE singer (id INTEGER PRIMARY KEY, name TEXT UNIQUE,
  part_code TEXT REFERENCES voice_part(code), birth_year INTEGER, joined_on TEXT, reads_music TEXT,
  status TEXT, annual_fee REAL, paid TEXT, phone TEXT);
CREATE TABLE song (id INTEGER PRIMARY KEY, title TEXT UNIQUE, composer TEXT, style TEXT,
  language TEXT, year_written INTEGER, length_s INTEGER, difficulty INTEGER, copies INTEGER,
  accompaniment TEXT);
CREATE TABLE rehearsal (id INTEGER PRIMARY KEY, date TEXT, kind TEXT, place TEXT,
  part_code TEXT REFERENCES voice_part(code), minutes INTEGER,
  song_id INTEGER REFERENCES song(id));
CREATE TABLE attendance (rehearsal_id INTEGER REFERENCES rehearsal(id),
  singer_id INTEGER REFERENCES singer(id), status TEXT, PRIMARY KEY (rehearsal_id, singer_id));
CREATE TABLE performance (id INTEGER PRIMARY KEY, title TEXT UNIQUE, date TEXT, venue TEXT,
  capacity INTEGER, audience INTEGER, ticket_price REAL, income REAL, status TEXT);
CREATE TABLE performance_song (performance_id INTEGER REFERENCES performance(id),
  song_id INTEGER REFERENCES song(id), position INTEGER, soloist_id INTEGER REFERENCES singer(id),
  PRIMARY KEY (performance_id, song_id));
""")
    singers, leaders = [], {}
    odds = [p[4] for p in PARTS]
    db.executemany("INSERT INTO voice_part VALUES (?, ?, ?, ?, NULL)", [p[:4] for p in PARTS])
    for i, nm in enumerate(rng.sample([f"{f} {n}" for f in FIRST for n in LAST], 64), 1):
        part = PARTS[i - 1] if i <= 8 else rng.choices(PARTS, odds)[0]
        leaders.setdefault(part[0], i)
        born = int(rng.triangular(1944, 2006, 1966))
        first = max(2004, born + 17)
        year = min(2024, first + int((2025 - first) * rng.random() ** 0.7))
        joined = date(year, rng.choice([1, 1, 4, 9, 9, 9]), rng.randint(2, 27))
        status = "active" if i <= 8 else rng.choices(["active", "on leave", "left"], [82, 9, 9])[0]
        fee = 60.0 if born > 1999 else 90.0 if born < 1958 else 120.0
        paid = rng.choices(["yes", "no", "half"], [80, 12, 8])[0] if status == "active" else "no"
        phone = f"07{rng.randint(400, 989)} {rng.randint(100000, 999999)}"
        row = (i, nm, part[0], born, joined.isoformat(), "yes" if rng.random() < 0.72 else "no")
        singers.append((*row, status, fee, paid, None if rng.random() < 0.14 else phone))
    db.executemany(f"INSERT INTO singer VALUES ({', '.join('?' * 10)})", singers)
    pairs = [(who, part) for part, who in leaders.items()]
    db.executemany("UPDATE voice_part SET leader_id = ? WHERE code = ?", pairs)
    people, songs = [p.strip() for p in PEOPLE.split(";")], []
    tongues = {"sacred": "Latin", "opera chorus": "Italian"}
    eras = {"pop": (1968, 2015), "musical": (1949, 2015), "gospel": (1920, 1998)}
    eras |= {"madrigal": (1570, 1615), "folk": (1750, 1900)}
    pairs = [(style, t) for style, names in TITLES.items() for t in names.split(",")]
    rng.shuffle(pairs)
    for i, (style, t) in enumerate(pairs, 1):
        who = "trad." if style == "folk" else rng.choice([p for p in people if p != "trad."])
        tongue = tongues.get(style) or rng.choices(["English", "Welsh", "German"], [86, 8, 6])[0]
        year = None if rng.random() < 0.12 else rng.randint(*eras.get(style, (1820, 1990)))
        hard = rng.choices([1, 2, 3, 4, 5], [12, 28, 32, 20, 8])[0]
        hard = max(hard, 3) if style in ("opera chorus", "madrigal") else hard
        play = rng.choices(["piano", "a cappella", "organ", "band"], [30, 18, 6, 6])[0]
        play = "a cappella" if style == "madrigal" else play
        copies = rng.choice([40, 50, 50, 60, 60, 65, 70])
        length = int(rng.gauss(205, 45) + 20 * (hard - 2))
        songs.append((i, t, who, style, tongue, year, length, hard, copies, play))
    db.executemany(f"INSERT INTO song VALUES ({', '.join('?' * 10)})", songs)
    venues, singing = [v.strip().split(",") for v in VENUES.split(";")], singers[:52]
    shows, items, today = [], [], date(2025, 6, 20)
    names = ["Spring Concert", "Summer Serenade", "Harvest Evening", "Carols by Candlelight"]
    names += ["Charity Gala", "Come and Sing", "Lunchtime Concert"]
    for y in range(2017, 2026):
        for nm, month in sorted(
            zip(names, [4, 7, 10, 12, 5, 3, 6], strict=True), key=lambda x: x[1]
        ):
            day, n = date(y, month, rng.randint(5, 26)), len(shows) + 1
            status = "planned" if day > today else rng.choices(["given", "cancelled"], [94, 6])[0]
            status = "cancelled" if y == 2020 and month > 3 else status
            venue, seats = rng.choices(venues, [10, 7, 4, 6, 4, 4, 5, 3, 4])[0]
            heads = int(int(seats) * min(1, rng.gauss(0.68, 0.16))) if status == "given" else None
            price = 0.0 if month in (3, 6) else rng.choice([8.5, 10.0, 12.0, 12.0, 15.0])
            income = None if heads is None else round(heads * 0.93) * price
            row = (n, f"{nm} {y}", day.isoformat(), venue, int(seats), heads, price, income, status)
            shows.append(row)
            likely = [(8 if month == 12 else 0.3) if s[3] == "carol" else 1 / s[7] for s in songs]
            chosen = dict.fromkeys(rng.choices(range(1, len(songs) + 1), likely, k=6))
            for k, song in enumerate(chosen, 1):
                free = [s[0] for s in singing if s[4] < day.isoformat() and s[6] == "active"]
                solo = rng.choice(free) if free and rng.random() < 0.25 else None
                items.append((n, song, k, solo))
    db.executemany("INSERT INTO performance VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", shows)
    db.executemany("INSERT INTO performance_song VALUES (?, ?, ?, ?)", items)
    for i in range(1, 61):
        day = date(2024, 3, 7) + timedelta(days=7 * i + (14 if i > 20 else 0))
        part = PARTS[(i * 3) % 8][0]
        kind = rng.choices(["sectional", "sight-reading", "voice training"], [40, 12, 8])[0]
        place = rng.choices(["church hall", "school", "library"], [40, 14, 6])[0]
        row = (i, day.isoformat(), kind, place, part, rng.choice([60, 75, 90, 90, 120]))
        song = rng.choice(songs)[0] if kind == "sectional" else None
        db.execute("INSERT INTO rehearsal VALUES (?, ?, ?, ?, ?, ?, ?)", (*row, song))
        for s in singers:
            if s[2] == part and s[6] == "active" and s[4] < day.isoformat():
                here = ["present", "late", "excused", "absent"]
                here = rng.choices(here, [76, 7, 11, 6] if s[0] % 7 else [45, 15, 20, 20])[0]
                db.execute("INSERT INTO attendance VALUES (?, ?, ?)", (i, s[0], here))
