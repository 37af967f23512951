"""A private film club: its films, members, screenings, who came and what they thought of it."""

from datetime import date, timedelta

FIRST = """Nora Elias Petra Jonas Amira Colin Beatriz Tom Yara Henrik Lucia Sanjay Maeve Bruno
Chiara Dmitri Esme Farid Greta Hugo Imani Jasper Keiko Lars Mina Nils Oriana Pablo Quentin Rosa
Stefan Tilda Umar Vera Wanda Xavier Yusuf Zelda Agnes Boris Clara Dario Edith Fiona""".split()
LAST = """Abbott Bergman Castillo Dunne Eriksen Farouk Grimaldi Hollis Ivanova Jankowski Kessler
Lambert Mbeki Novotny Ostrowski Pereira Quigley Ramos Sandoval Thorne Ueda Vasquez Whitlock Yamada
Zeller Adeyemi Brandão Cho Delacroix Engel Fonseca Gupta Hartmann Iqbal Joshi Karlsson Lindgren
Morales""".split()
FILMS = """Marguerite Vasseur|France|French|The Lighthouse Keeper's Daughter/1974/112/Drama
Marguerite Vasseur|France|French|Honeymoon in Ostend/1979/84/Comedy
Marguerite Vasseur|France|French|Summer at the Canal/1986/107/Drama
Andrzej Kolski|Poland|Polish|Night Train to Gdansk/1981/98/Thriller,Drama
Robert Hadley|USA|English|A Quiet Street/1958/91/Drama
Walter Pruitt|USA|English|The Copper Mountain/1952/104/Western
Walter Pruitt|USA|English|Sundown at Red Fork/1956/117/Western,Drama
Carla Bonetti|Italy|Italian|Three Widows/1966/127/Comedy
Kenji Morishita|Japan|Japanese|Snow Over Aomori/1961/134/Drama|The Paper Detective/1968/102/Crime
Leonard Cross|USA|English|Gin and Shadows/1947/88/Crime,Thriller
Leonard Cross|USA|English|The Man Who Sold Rain/1950/95/Crime,Comedy
Leonard Cross|USA|English|The Velvet Corridor/1953/93/Thriller
Joan Pettigrew|UK|English|Last Bus to Brighton/1979/86/Comedy|Kitchen Sink Waltz/1983/99/Drama
Joan Pettigrew|UK|English|An Evening with Mr. Plum/1988/90/Comedy
Mikhail Antonov|Soviet Union|Russian|Orbit of Silence/1972/158/Science fiction
Mikhail Antonov|Soviet Union|Russian|The Third Moon/1977/171/Science fiction,Drama
Emilio Santander|Mexico|Spanish|Dust and Roses/1999/118/Drama|The Goat Thief/2004/93/Comedy
Hollis Marlowe|UK|English|Carnival of Crows/1973/89/Horror|The Cellar Door/1976/94/Horror,Thriller
Hollis Marlowe|UK|English|House of Whispers/1969/82/Horror
Lotte Brunner|Germany|German|The Bicycle Choir/2008/96/Comedy,Documentary|Room 14/2013/103/Thriller
Lotte Brunner|Germany|German|Border Post/2018/121/Drama
Aine Corrigan|Ireland|English|Saltwater Hearts/2011/92/Comedy|The Turf Cutters/2016/81/Documentary
Ravi Deshpande|India|Hindi|Monsoon Wedding Band/2003/149/Comedy|The Tea Merchant/1997/162/Drama
Park Jae-min|South Korea|Korean|Seven Lanterns/2009/126/Crime,Thriller
Park Jae-min|South Korea|Korean|The Butcher's Alibi/2015/131/Crime,Thriller
Park Jae-min|South Korea|Korean|Ghost Elevator/2019/109/Horror
Dana Whitfield|USA|English|Midnight at the Laundromat/1994/97/Comedy
Dana Whitfield|USA|English|Static/2001/90/Science fiction,Horror
Dana Whitfield|USA|English|The Long Weekend Away/2007/101/Comedy,Drama
Inés Carrasco|Spain|Spanish|Paloma's Garden/2012/94/Animation
Inés Carrasco|Spain|Spanish|The Clockwork Fox/2017/88/Animation,Comedy
Haruka Imai|Japan|Japanese|Little Cloud/2002/79/Animation|The Whale Who Hummed/2010/92/Animation
Gianni Corvo|Italy|Italian|Two Bullets for Silas/1967/110/Western
Gianni Corvo|Italy|Italian|The Silent Stagecoach/1970/124/Western,Thriller
Sigrid Aas|Norway|Norwegian|Glacier/2014/87/Documentary|The Fjord Murders/2006/115/Crime
Sigrid Aas|Norway|Norwegian|Winter Bread/2020/98/Drama
Caio Teles|Brazil|Portuguese|Samba for Beginners/2005/100/Comedy|City of Kites/1998/128/Drama,Crime
Grace Oyelaran|UK|English|The Vinyl Archive/2019/76/Documentary
Grace Oyelaran|Nigeria|English|Lagos After Dark/2021/113/Crime,Drama
Victor Strand|USA|English|Neon Harvest/1986/105/Science fiction
Victor Strand|USA|English|Return to Neon Harvest/1989/111/Science fiction
Victor Strand|USA|English|The Android's Lullaby/1992/122/Science fiction,Drama
Anneli Rautio|Finland|Finnish|Cold Soup/2000/74/Comedy|The Accordion Player/1996/83/Comedy,Drama
Dimitra Kallas|Greece|Greek|Olive Season/2010/108/Drama|Ferry to Nowhere/2018/95/Drama
Tomasz Wrona|Poland|Polish|Bees/2016/71/Documentary|The Chess Teacher/2022/106/Drama
Leila Bensaid|Morocco|Arabic|Letters from Tangier/2013/99/Drama
Leila Bensaid|Morocco|Arabic|The Perfume Smuggler/2023/104/Thriller
Chen Yulan|Taiwan|Mandarin|One Hundred Steps/2008/119/Drama
Chen Yulan|Taiwan|Mandarin|The Noodle Shop Mystery/2014/97/Crime,Comedy"""
COMMENTS = """Loved the ending;Too long;Beautiful photography;Fell asleep twice;Would watch again
Great soundtrack;Not my kind of film;Better than I remembered;The subtitles were out of sync
Funny all the way;Slow start, then gripping;Best of the season;Confusing"""


def build(db, rng):
    "Create and fill the tables of the club."
    db.executescript("""
    CREATE TABLE Film (FilmId INTEGER PRIMARY KEY, Title TEXT, Director TEXT, Year INTEGER,
        Country TEXT, Language TEXT, Minutes INTEGER);
    CREATE TABLE FilmGenre (FilmId INTEGER REFERENCES Film, Genre TEXT,
        PRIMARY KEY (FilmId, Genre));
    CREATE TABLE Member (MemberId INTEGER PRIMARY KEY, FirstName TEXT, LastName TEXT,
        BirthYear INTEGER, Town TEXT, Membership TEXT, JoinedOn TEXT, YearlyFee REAL,
        InvitedBy INTEGER REFERENCES Member);
    CREATE TABLE Screening (ScreeningId INTEGER PRIMARY KEY, FilmId INTEGER REFERENCES Film,
        HostId INTEGER REFERENCES Member, ScreeningDate TEXT, StartTime TEXT, Venue TEXT,
        Format TEXT, Seats INTEGER);
    CREATE TABLE Attendance (ScreeningId INTEGER REFERENCES Screening,
        MemberId INTEGER REFERENCES Member, Brought TEXT, PRIMARY KEY (ScreeningId, MemberId));
    CREATE TABLE Rating (FilmId INTEGER REFERENCES Film, MemberId INTEGER REFERENCES Member,
        Stars INTEGER, RatedOn TEXT, Comment TEXT, PRIMARY KEY (FilmId, MemberId));
    """)
    films = []
    for line in FILMS.splitlines():
        director, country, language, *titles = line.split("|")
        for title, year, minutes, genres in (t.split("/") for t in titles):
            row = (title, director, int(year), country, language, int(minutes))
            films.append((len(films) + 1, *row))
            db.execute("INSERT INTO Film VALUES (?, ?, ?, ?, ?, ?, ?)", films[-1])
            rows = [(len(films), genre) for genre in genres.split(",")]
            db.executemany("INSERT INTO FilmGenre VALUES (?, ?)", rows)
    members, names = [], {}
    fees = {"Founder": 0.0, "Full": 60.0, "Student": 25.5, "Guest": 15.0}
    while len(members) < 64:
        name = (rng.choice(FIRST), rng.choice(LAST))
        if name in names:
            continue
        names[name] = n = len(members) + 1
        kind = "Founder" if n <= 6 else rng.choices(["Full", "Student", "Guest"], [62, 25, 13])[0]
        born = rng.randint(1996, 2003) if kind == "Student" else rng.randint(1948, 1992)
        joined = date(2021, 9, 3) + timedelta(max(0, (n - 6) * 20 - rng.randrange(20)))
        town = rng.choices(["Ghent", "Bruges", "Aalst", "Deinze", "Eeklo"], [60, 15, 10, 9, 6])[0]
        inviter = None if n <= 6 else int(rng.random() ** 1.8 * (n - 1)) + 1
        members.append((n, *name, born, town, kind, str(joined), fees[kind], inviter))
    db.executemany("INSERT INTO Member VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", members)

    keen = [rng.random() ** 2 + 0.08 for _ in members]
    taste = [rng.gauss(3.5, 0.8) for _ in films]
    venues = {"Town library": 30, "Elm Street cellar": 14, "Café Lumen": 22, "Host's home": 10}
    shown, seen = rng.sample(range(1, 63), 53), {}
    shown.sort(key=lambda f: films[f - 1][3] > 2020)
    shown += rng.sample(shown[:30], 9)
    for i, film in enumerate(shown, 1):
        day = date(2021, 10, 1) + timedelta(21 * i - 21 + rng.choice((0, 0, 0, 1, 7)))
        present = [m for m in members if m[6] <= str(day)]
        venue = rng.choices(list(venues), [40, 25, 20, 15])[0]
        old = films[film - 1][3] < 1980
        forms = ["DVD", "Blu-ray", "Streaming", "16 mm"]
        form = rng.choices(forms, [35, 30, 25, 30 if old else 0])[0]
        host = rng.choices(present, [keen[m[0] - 1] for m in present])[0][0]
        start = rng.choices(["19:30", "20:00", "20:30", "18:00"], [40, 40, 12, 8])[0]
        row = (i, film, host, str(day), start, venue, form, venues[venue])
        db.execute("INSERT INTO Screening VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        want = min(venues[venue], max(3, int(rng.gauss(5.8, 2.2))))
        came = rng.choices(present, [keen[m[0] - 1] for m in present], k=want)
        for member in sorted(dict.fromkeys([host] + [m[0] for m in came])):
            things = ["Wine", "Popcorn", "Crisps", "Cake", "Cheese", "Beer", "Nothing", None]
            brought = rng.choices(things, [24, 20, 15, 9, 8, 10, 22, 12])[0]
            db.execute("INSERT INTO Attendance VALUES (?, ?, ?)", (i, member, brought))
            if rng.random() < 0.75 and (film, member) not in seen:
                stars = min(5, max(1, round(rng.gauss(taste[film - 1], 0.9))))
                seen[film, member] = (stars, str(day + timedelta(rng.choice((0, 1, 1, 2, 5)))))
    for (film, member), (stars, when) in sorted(seen.items(), key=lambda r: r[1][1]):
        comment = (
            rng.choice(COMMENTS.replace("\n", ";").split(";")) if rng.random() < 0.85 else None
        )
        row = (film, member, stars, when, comment)
        db.execute("INSERT INTO Rating VALUES (?, ?, ?, ?, ?)", row)
