"""A language exchange club: members, what they speak or learn, venues, evenings, who came."""

from datetime import date, timedelta

LANGS = """en,English,Germanic,Latin;de,German,Germanic,Latin;nl,Dutch,Germanic,Latin;
sv,Swedish,Germanic,Latin;es,Spanish,Romance,Latin;fr,French,Romance,Latin;it,Italian,Romance,Latin;
pt,Portuguese,Romance,Latin;pl,Polish,Slavic,Latin;ru,Russian,Slavic,Cyrillic;
uk,Ukrainian,Slavic,Cyrillic;ja,Japanese,Japonic,Kana and Kanji;ar,Arabic,Semitic,Arabic;
tr,Turkish,Turkic,Latin;ko,Korean,Koreanic,Hangul"""
PEOPLE = """Alba Quintero,es;Finn Harkness,en;Mathilde Perrault,fr;Jurgen Oelmann,de;
Noor Van Dael,nl;
Hikari Tanabe,ja;Giulia Bonfanti,it;Marek Wolny,pl;Sofia Teles,pt;Oksana Hrytsenko,uk;
Rashid Al Nouri,ar;Elif Karaca,tr;Desmond Ayre,en;Ines Barragan,es;Klara Stromberg,sv;
Luc Delacroix,fr;Petra Zangl,de;Samuel Hobday,en;Min-ji Baek,ko;Ruben Casado,es;
Tatiana Belova,ru;Chiara Morandi,it;Orla Devane,en;Henrik Lundahl,sv;Paulo Seixas,pt;
Yvette Aumont,fr;Ludwig Brandl,de;Nadia Haddou,ar;Hugo Penfold,en;Carmen Olivar,es;
Bartosz Kubik,pl;Akira Mori,ja;Winona Sayers,en;Diego Larralde,es;Silke Ahrend,de;
Francesca Pinti,it;Emil Dahlin,sv;Thea Rowntree,en;Omar Benjelloun,ar;Lotte Kuipers,nl;
Vera Sidorova,ru;Gareth Mostyn,en"""
JOBS = "student,nurse,engineer,teacher,retired,waiter,translator,accountant,student,designer"
VENUES = """Cafe Mirador,cafe,Riverside,26,0,1;The Crooked Lantern,pub,Old Town,40,0,0;
Elmgrove Library,library,Northgate,35,0,1;Kulturhaus Lindenhof,community centre,Old Town,80,45,1;
Bodega Azul,bar,Riverside,30,0,0;Room 4 at St Brigid's,church hall,Northgate,50,25,1;
The Paper Kite,cafe,Harbour,18,0,0;Harbour Social Club,community centre,Harbour,95,60,1;
Tea and Tonic,cafe,University,22,0,1;Student Union Annexe,university room,University,60,15,1;
Wren & Barrel,pub,University,34,0,0;Botanic Pavilion,park,Riverside,45,30,1;
The Loft,bar,Old Town,28,20,0"""
TOPICS = """Travel stories,Food from home,Films we love,Job interviews,Childhood games,Idioms,
Board game night,Politics without shouting,Recipes,Small talk,Family,Superstitions,Music,
Gossip and news,
The worst date,Dialects,Tongue twisters,Housing,Books,Sport,Weather,Shopping"""
LEVELS = ["A1", "A2", "B1", "B2", "C1", "C2"]


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` a random number generator."
    db.executescript("""
CREATE TABLE Language (Code TEXT PRIMARY KEY, Name TEXT UNIQUE, Family TEXT, Script TEXT);
CREATE TABLE Member (MemberId INTEGER PRIMARY KEY, FullName TEXT UNIQUE, BirthYear INTEGER,
  Occupation TEXT, HomeLanguage TEXT REFERENCES Language(Code), JoinedOn TEXT, LeftOn TEXT,
  AnnualFee REAL, Phone TEXT, InvitedBy INTEGER REFERENCES Member(MemberId));
CREATE TABLE StudyGoal (MemberId INTEGER REFERENCES Member(MemberId),
  LanguageCode TEXT REFERENCES Language(Code), CurrentLevel TEXT, TargetLevel TEXT,
  ExamDate TEXT, PRIMARY KEY (MemberId, LanguageCode));
CREATE TABLE Venue (VenueId INTEGER PRIMARY KEY, Name TEXT UNIQUE, Kind TEXT, District TEXT,
  Seats INTEGER, HireCost REAL, StepFree INTEGER);
CREATE TABLE Session (SessionId INTEGER PRIMARY KEY, HeldOn TEXT, StartTime TEXT, Minutes INTEGER,
  LanguageCode TEXT REFERENCES Language(Code), MinLevel TEXT, Topic TEXT,
  VenueId INTEGER REFERENCES Venue(VenueId), HostId INTEGER REFERENCES Member(MemberId),
  Cancelled INTEGER);
CREATE TABLE Attendance (SessionId INTEGER REFERENCES Session(SessionId),
  MemberId INTEGER REFERENCES Member(MemberId), Rating INTEGER, BroughtGuest INTEGER,
  PRIMARY KEY (SessionId, MemberId));
""")
    langs = [x.strip().split(",") for x in LANGS.split(";")]
    db.executemany("INSERT INTO Language VALUES (?, ?, ?, ?)", langs)
    people = [p.strip().split(",") for p in PEOPLE.split(";")]
    span = (date(2025, 2, 1) - date(2018, 9, 1)).days
    joined = sorted(date(2018, 9, 1) + timedelta(days=rng.randint(0, span)) for _ in people)
    members, goals = [], {}
    for i, (nm, home) in enumerate(people, 1):
        job = rng.choice(JOBS.split(","))
        born = {"retired": rng.randint(1946, 1960), "student": rng.randint(1998, 2006)}.get(
            job, rng.randint(1966, 1999)
        )
        left = (
            joined[i - 1] + timedelta(days=rng.randint(200, 900))
            if i > 6 and rng.random() < 0.25
            else None
        )
        left = left.isoformat() if left and left < date(2025, 6, 1) else None
        fee = {"student": 15.0, "retired": 20.0}.get(job, 36.0)
        phone = (
            f"06{rng.randint(10, 99)} {rng.randint(100, 999)} {rng.randint(100, 999)}"
            if rng.random() < 0.8
            else None
        )
        by = (
            rng.choice([1, 2, 3, 4, 5, rng.randint(1, 6)])
            if i > 14 and rng.random() < 0.6
            else None
        )
        members.append((i, nm, born, job, home, joined[i - 1].isoformat(), left, fee, phone, by))
        wanted = ["en", "es", "es", "fr", "de", "it", "pt", "ja", "sv", "ar", "pl", "ko", "nl"]
        picks = set(rng.choices(wanted, k=rng.choice([1, 1, 2, 2, 3])))
        goals[i] = picks - {home} or {"es" if home == "en" else "en"}
        for c in sorted(goals[i]):
            now = rng.choices(range(5), [4, 6, 7, 5, 2])[0]
            aim = LEVELS[min(5, now + rng.choice([1, 1, 2, 3]))] if rng.random() < 0.9 else None
            exam = (
                (date(2025, 9, 6) + timedelta(days=7 * rng.randint(0, 30))).isoformat()
                if rng.random() < 0.25
                else None
            )
            goals[i, c] = (i, c, LEVELS[now], aim, exam)
    db.executemany("INSERT INTO Member VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", members)
    db.executemany(
        "INSERT INTO StudyGoal VALUES (?, ?, ?, ?, ?)",
        [v for k, v in goals.items() if isinstance(k, tuple)],
    )
    for i, v in enumerate(VENUES.split(";"), 1):
        nm, kind, area, seats, cost, flat = v.strip().split(",")
        db.execute(
            "INSERT INTO Venue VALUES (?, ?, ?, ?, ?, ?, ?)",
            (i, nm, kind, area, int(seats), float(cost), int(flat)),
        )
    topics, day = [t.strip() for t in TOPICS.split(",")], date(2024, 9, 3)
    came = []
    for i in range(1, 47):
        day += timedelta(days=rng.choice([2, 5, 7, 7, 9]))
        code = rng.choices(
            ["es", "en", "fr", "de", "it", "pt", "ja", "sv"], [9, 9, 7, 7, 5, 3, 3, 2]
        )[0]
        here = [m for m in members if m[5] < day.isoformat() and (m[6] or "9") > day.isoformat()]
        hosts = [m[0] for m in here if m[4] == code] or [1]
        off = int(rng.random() < 0.1)
        row = (
            i,
            day.isoformat(),
            rng.choice(["18:30", "19:00", "19:00", "20:00", "11:00"]),
            rng.choice([60, 90, 90, 120]),
        )
        row += (code, rng.choice([None, "A1", "A2", "A2", "B1", "B1", "B2"]), rng.choice(topics))
        row += (
            rng.choices(range(1, 13), [8, 7, 6, 4, 6, 5, 3, 2, 4, 5, 4, 2])[0],
            rng.choice(hosts),
            off,
        )
        db.execute("INSERT INTO Session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        for m in here:
            if (
                not off
                and m[0] != row[8]
                and m[0] % 11
                and (code in goals[m[0]] and rng.random() < 0.46 or rng.random() < 0.02)
            ):
                mark = rng.choices([None, 1, 2, 3, 4, 5], [5, 1, 2, 5, 8, 6])[0]
                came.append((i, m[0], mark, int(rng.random() < 0.13)))
    db.executemany("INSERT INTO Attendance VALUES (?, ?, ?, ?)", came)
