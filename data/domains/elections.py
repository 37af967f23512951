"""Regional elections: parties, constituencies, candidates, votes, turnout and polling stations."""

PARTIES = [
    (1, "LRP", "Liberal Reform Party", "Helena Strand", 1931, "liberal", 28),
    (2, "SDU", "Social Democratic Union", "Marcus Adeyo", 1908, "centre-left", 31),
    (3, "CPA", "Country People's Alliance", "Ingrid Falk", 1946, "conservative", 26),
    (4, "GRN", "Green Future", "Tomas Rieder", 1984, "green", 12),
    (5, "WL", "Workers' List", "Rosa Benítez", 1972, "left", 7),
    (6, "NCF", "New Coast Front", "Dario Velk", 2013, "regionalist", 9),
    (7, "IND", "Independent", None, None, "none", 4),
]
SEATS = {
    "North Coast": "Port Haven|Skerry Bay|Lindholm|Gullness|Fairwater",
    "Central Valley": "Arden Town|Arden Rural|Millbridge|Oxley|Castleford Green|Thornby",
    "Uplands": "High Fell|Corrie|Stonegate|Upper Tarn",
    "Capital": "Capital East|Capital West|Docklands|University Hill|Old Town",
}
FIRST = """Amelia Bashir Carla Duncan Elena Farid Greta Hamza Imogen Jakob Karin Leon Malika Niall
Oksana Pablo Quentin Rania Stefan Thandi Uma Viktor Wanda Xavier Yusuf Zara Andrew Brigid Cosmo Dina
Erik Fatima Gordon Hanna Ivor Jasmin Kofi Lydia Milan Nadia Omar Petra""".split()
LAST = """Aldous Bergström Carmody Dimitrov Eastwood Farooq Grieve Hallam Iversen Jansen Kamara
Lindqvist Mbeki-Shaw Novak Okafor Pereira Quigley Rasmussen Sandoval Tennant Ullman Vance Whitaker
Yilmaz Zeller Abbott Brandt Castellano Drummond Engel Forsyth Ghosh Hurst Ito Jephcott Kerr Lomax
Moreau Nielsen Osman Pryce Rosen""".split()
JOBS = ["teacher", "lawyer", "farmer", "nurse", "business owner", "engineer", "civil servant"]
PLACES = [
    ("Primary School", "school"),
    ("Village Hall", "hall"),
    ("Library", "library"),
    ("Sports Centre", "sports centre"),
    ("St Mary's Church Hall", "church"),
    ("Community College", "school"),
]
ELECTIONS = [
    (1, "2012-05-10", 2012),
    (2, "2016-05-12", 2016),
    (3, "2020-05-14", 2020),
    (4, "2024-05-09", 2024),
]
SWING = {
    1: {1: 26, 2: 36, 3: 30, 4: 6, 5: 8, 7: 4},
    2: {1: 30, 2: 34, 3: 27, 4: 8, 5: 7, 6: 5, 7: 4},
    3: {1: 28, 2: 31, 3: 26, 4: 12, 5: 6, 6: 8, 7: 4},
    4: {1: 31, 2: 27, 3: 24, 4: 15, 5: 6, 6: 12, 7: 5},
}
LEAN = {
    "North Coast": {1: 0.9, 2: 0.8, 3: 1.0, 4: 0.8, 5: 0.8, 6: 3.2, 7: 1.5},
    "Central Valley": {1: 1.1, 2: 1.1, 3: 1.0, 4: 0.9, 5: 1.0, 6: 0.4, 7: 1.0},
    "Uplands": {1: 0.7, 2: 0.7, 3: 1.9, 4: 0.9, 5: 0.5, 6: 0.5, 7: 2.0},
    "Capital": {1: 1.2, 2: 1.3, 3: 0.5, 4: 1.6, 5: 1.7, 6: 0.2, 7: 0.8},
}


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` the source of chance."
    db.executescript("""
CREATE TABLE parties (party_id INTEGER PRIMARY KEY, abbreviation TEXT UNIQUE, name TEXT,
    leader TEXT, founded INTEGER, ideology TEXT);
CREATE TABLE constituencies (constituency_id INTEGER PRIMARY KEY, name TEXT UNIQUE, region TEXT,
    type TEXT, area_km2 REAL);
CREATE TABLE elections (election_id INTEGER PRIMARY KEY, held_on TEXT, year INTEGER);
CREATE TABLE candidates (candidate_id INTEGER PRIMARY KEY, name TEXT, gender TEXT,
    birth_year INTEGER, occupation TEXT, party_id INTEGER REFERENCES parties(party_id),
    constituency_id INTEGER REFERENCES constituencies(constituency_id));
CREATE TABLE results (election_id INTEGER REFERENCES elections(election_id),
    candidate_id INTEGER REFERENCES candidates(candidate_id), votes INTEGER, vote_share REAL,
    incumbent TEXT, elected TEXT, PRIMARY KEY (election_id, candidate_id));
CREATE TABLE turnout (election_id INTEGER REFERENCES elections(election_id),
    constituency_id INTEGER REFERENCES constituencies(constituency_id), electorate INTEGER,
    ballots_cast INTEGER, spoilt_ballots INTEGER, turnout_percent REAL,
    PRIMARY KEY (election_id, constituency_id));
CREATE TABLE polling_stations (station_id INTEGER PRIMARY KEY, name TEXT,
    constituency_id INTEGER REFERENCES constituencies(constituency_id), building TEXT,
    registered_voters INTEGER, step_free TEXT);
""")
    db.executemany("INSERT INTO parties VALUES (?, ?, ?, ?, ?, ?)", [p[:6] for p in PARTIES])
    db.executemany("INSERT INTO elections VALUES (?, ?, ?)", ELECTIONS)
    seats = []
    for region, names in SEATS.items():
        for name in names.split("|"):
            urban = region == "Capital" or name.endswith(("Town", "Haven", "bridge"))
            kind = "urban" if urban else "rural" if rng.random() < 0.7 else "mixed"
            area = rng.uniform(9, 45) if urban else rng.uniform(120, 900)
            area = area * 2 if region == "Uplands" else area
            seats.append((len(seats) + 1, name, region, kind, round(area, 1)))
    db.executemany("INSERT INTO constituencies VALUES (?, ?, ?, ?, ?)", seats)
    stations, voters = [], {}
    for number, name, _, kind, _ in seats:
        for place, building in rng.sample(PLACES, rng.choice([3, 4, 4, 5, 6])):
            people = int(rng.triangular(900, 4200, 2600) * (0.6 if kind == "rural" else 1))
            voters[number] = voters.get(number, 0) + people
            step_free = None if rng.random() < 0.06 else "Y" if rng.random() < 0.8 else "N"
            stations.append((f"{name} {place}", number, building, people, step_free))
    db.executemany("INSERT INTO polling_stations VALUES (NULL, ?, ?, ?, ?, ?)", stations)
    names = [(f, s) for f in FIRST for s in LAST]
    rng.shuffle(names)
    women = """Amelia Carla Elena Greta Imogen Karin Malika Oksana Rania Thandi Uma Wanda Zara
    Brigid Dina Fatima Hanna Jasmin Lydia Nadia Petra""".split()
    people, results, turnout, standing, holder = [], [], [], {}, {}
    for election, _, year in ELECTIONS:
        for seat, _, region, kind, _ in seats:
            electorate = int(voters[seat] * (0.95 + 0.025 * (election - 1)))
            share = rng.gauss(0.63 if kind != "urban" else 0.57, 0.045) + election * 0.01
            cast = int(electorate * share)
            spoilt = int(cast * rng.uniform(0.004, 0.016))
            percent = round(100 * cast / electorate, 1)
            turnout.append((election, seat, electorate, cast, spoilt, percent))
            odds = {1: 1, 2: 1, 3: 1, 4: 0.65, 5: 0.3, 6: 0.25, 7: 0.2}
            odds[6] = 1 if region == "North Coast" else odds[6]
            runs = [p for p in SWING[election] if rng.random() < odds[p]]
            strength = {}
            for party in runs:
                key = (party, seat)
                again = 0.8 if holder.get(seat) == standing.get(key, 0) else 0.4
                if key not in standing or rng.random() > again:
                    first, last = names.pop()
                    born = year - int(rng.triangular(22, 70, 46))
                    job = rng.choice(JOBS) if rng.random() < 0.88 else None
                    standing[key] = len(people) + 1
                    sex = "F" if first in women else "M"
                    name = f"{first} {last}"
                    people.append((standing[key], name, sex, born, job, party, seat))
                pull = SWING[election][party] * LEAN[region][party] * rng.lognormvariate(0, 0.28)
                strength[standing[key]] = pull * (1.2 if holder.get(seat) == standing[key] else 1)
            valid, total = cast - spoilt, sum(strength.values())
            votes = {c: int(valid * s / total) for c, s in strength.items()}
            top = max(votes, key=votes.get)
            votes[top] += valid - sum(votes.values())
            for c, n in votes.items():
                held = "Y" if holder.get(seat) == c else "N"
                won = "Y" if c == top else "N"
                results.append((election, c, n, round(100 * n / valid, 1), held, won))
            holder[seat] = top
    db.executemany("INSERT INTO candidates VALUES (?, ?, ?, ?, ?, ?, ?)", people)
    db.executemany("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?)", results)
    db.executemany("INSERT INTO turnout VALUES (?, ?, ?, ?, ?, ?)", turnout)
