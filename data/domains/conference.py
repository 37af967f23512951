"""A developers' conference: speakers, their talks and rooms, who attended what, and sponsors."""

FIRST = """Aisha Benedikt Chiara Diego Ebony Fredrik Giulia Hiroshi Ivana Julien Kwame Lakshmi Mateo
Noor Olena Priscilla Rohan Sigrid Tobias Ulla Valentina Wei Yannick Zuzana Adaeze Bogdan Camille
Darius Elif Florian Grace Hassan Ilse Jordan Katya Liam Mei Nathan Orsolya Pavel Sunita""".split()
LAST = """Abebe Bauer Costa Dahl Evans Fernandes Gruber Haddad Ivanov Jovanović Kim Larsen Mensah
Nair O'Connor Popescu Rahman Suzuki Tóth Uribe Visser Wong Yilmaz Zhang Almeida Bergman Chaudhry
Delacroix Esposito Fraser Goldberg Hoang Iqbal Johansson Keita Lopez Moretti Novotná Osei Park
Richter Sato Torres Vargas Weber""".split()
COMPANIES = """Brightfield|Nordlys Software|Tandem Labs|Quillstack|Papaya Cloud|University of Leiden
|Redwood Health|Kestrel Analytics|Ministry of Transport|Bluegate Bank|Openmap Foundation|Freelance
|Lanternworks|Hexagon Retail|Studio Pine""".replace("\n", "").split("|")
COUNTRIES = {"Netherlands": 30, "Germany": 18, "UK": 14, "Belgium": 10, "France": 8, "USA": 7}
COUNTRIES |= {"Poland": 5, "India": 4, "Brazil": 2}
ROOMS = [
    (1, "Aurora", 420, 0, "Y"),
    (2, "Borealis", 220, 0, "Y"),
    (3, "Comet", 120, 1, "Y"),
    (4, "Dusk", 120, 1, "N"),
    (5, "Eclipse", 60, 2, "N"),
]
TRACKS = {
    "Data": "Forecasting|Time Series|Vector Search|Columnar Files|Data Contracts|Graphs",
    "Web": "CSS Grids|Web Components|Offline Forms|Server Rendering|Browser Caches|Maps",
    "Ops": "Incident Reviews|Tiny Kubernetes|Feature Flags|Log Budgets|Backups|Zero Downtime",
    "Security": "Passkeys|Threat Models|Supply Chains|Secrets|Fuzzing",
    "People": "Code Review|Mentoring|Remote Teams|Burnout|Hiring Juniors|Writing Docs",
}
SHAPES = """{} in Practice|What {} Taught Us|A Gentle Introduction to {}|{} Without Tears
|Ten Years of {}|Rethinking {}|The Hidden Cost of {}|{} for Small Teams|{} at Scale"""
TICKETS = {
    "early bird": (38, 249.0),
    "regular": (34, 349.0),
    "student": (12, 79.0),
    "late": (9, 449.0),
    "free": (7, 0.0),
}
JOBS = ["developer", "developer", "developer", "data scientist", "manager", "designer", "sysadmin"]
SPONSORS = [
    (1, "Papaya Cloud", "platinum", 25000, 12, "2023-11-02"),
    (2, "Bluegate Bank", "platinum", 25000, 12, "2023-12-14"),
    (3, "Quillstack", "gold", 12000, 6, "2024-01-09"),
    (4, "Nordlys Software", "gold", 12000, 6, "2024-01-22"),
    (5, "Hexagon Retail", "gold", 11000, 6, "2024-02-05"),
    (6, "Kestrel Analytics", "silver", 5000, 3, "2024-02-19"),
    (7, "Lanternworks", "silver", 5000, 3, "2024-03-01"),
    (8, "Redwood Health", "silver", 4500, 3, "2024-03-18"),
    (9, "Café Oranje", "bronze", 1500, 1, "2024-04-03"),
    (10, "Openmap Foundation", "bronze", 0, 2, None),
    (11, "Pixel & Ink Books", "bronze", 1500, 1, "2024-04-11"),
    (12, "Studio Pine", "bronze", 1200, 1, "2024-04-15"),
]
DAYS = ["2024-06-12", "2024-06-13", "2024-06-14"]
SLOTS = {"09:15": 60, "10:45": 45, "13:30": 45, "14:45": 30, "16:00": 45}


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` the source of chance."
    db.executescript("""
CREATE TABLE speakers (spk_id INTEGER PRIMARY KEY, spk_name TEXT, spk_company TEXT,
    spk_country TEXT, spk_first_time TEXT, spk_fee REAL, spk_hotel_nights INTEGER);
CREATE TABLE rooms (rm_id INTEGER PRIMARY KEY, rm_name TEXT, rm_capacity INTEGER,
    rm_floor INTEGER, rm_recorded TEXT);
CREATE TABLE talks (tlk_id INTEGER PRIMARY KEY, tlk_title TEXT,
    tlk_spk_id INTEGER REFERENCES speakers(spk_id), tlk_rm_id INTEGER REFERENCES rooms(rm_id),
    tlk_track TEXT, tlk_level TEXT, tlk_day TEXT, tlk_start TEXT, tlk_minutes INTEGER,
    tlk_status TEXT);
CREATE TABLE attendees (att_id INTEGER PRIMARY KEY, att_name TEXT, att_email TEXT, att_job TEXT,
    att_country TEXT, att_ticket TEXT, att_price REAL, att_registered TEXT, att_diet TEXT,
    att_spn_id INTEGER REFERENCES sponsors(spn_id));
CREATE TABLE talk_attendance (ta_att_id INTEGER REFERENCES attendees(att_id),
    ta_tlk_id INTEGER REFERENCES talks(tlk_id), ta_rating INTEGER,
    PRIMARY KEY (ta_att_id, ta_tlk_id));
CREATE TABLE sponsors (spn_id INTEGER PRIMARY KEY, spn_name TEXT, spn_tier TEXT,
    spn_amount REAL, spn_tickets INTEGER, spn_paid_on TEXT);
""")
    names = [f"{f} {s}" for f in FIRST for s in LAST]
    rng.shuffle(names)
    db.executemany("INSERT INTO rooms VALUES (?, ?, ?, ?, ?)", ROOMS)
    db.executemany("INSERT INTO sponsors VALUES (?, ?, ?, ?, ?, ?)", SPONSORS)
    speakers = []
    for i in range(1, 63):
        place = rng.choices(list(COUNTRIES), [v**0.6 for v in COUNTRIES.values()])[0]
        firm = rng.choice(COMPANIES) if rng.random() < 0.9 else None
        fee = 0 if i > 14 else rng.choice([500, 750, 750, 1500])
        nights = 0 if place == "Netherlands" and rng.random() < 0.7 else rng.randint(1, 4)
        new = "Y" if fee < 700 and rng.random() < 0.4 else "N"
        speakers.append((i, names.pop(), firm, place, new, fee, nights))
    db.executemany("INSERT INTO speakers VALUES (?, ?, ?, ?, ?, ?, ?)", speakers)
    topics = [(topic, track) for track, text in TRACKS.items() for topic in text.split("|")]
    subjects = [
        (topic, track, s) for topic, track in topics for s in SHAPES.replace("\n", "").split("|")
    ]
    rng.shuffle(subjects)
    order = list(range(1, 63)) + rng.sample(range(1, 55), 13)
    talks, draw = [], {}
    for day in DAYS:
        for start, minutes in SLOTS.items():
            for room in range(1, 6):
                topic, track, shape = subjects.pop()
                i, who = len(talks) + 1, order[len(talks)]
                title, level = shape.format(topic), rng.choices("BIA", [45, 38, 17])[0]
                level = {"B": "beginner", "I": "intermediate", "A": "advanced"}[level]
                level = "beginner" if "Gentle" in title else level
                status = rng.choices(["confirmed", "cancelled", "moved"], [91, 5, 4])[0]
                draw[i] = ROOMS[room - 1][2] * rng.uniform(0.3, 1) * (status != "cancelled")
                talks.append((i, title, who, room, track, level, day, start, minutes, status))
    db.executemany(f"INSERT INTO talks VALUES ({', '.join('?' * 10)})", talks)
    people = []
    for i in range(1, 146):
        name = names.pop()
        ticket = rng.choices(list(TICKETS), [t[0] for t in TICKETS.values()])[0]
        mail = name.lower().replace(" ", ".").replace("'", "").replace("ć", "c")
        mail = (
            mail.replace("ó", "o").replace("á", "a")
            + "@"
            + rng.choice(["example.com", "mail.example", "post.example"])
        )
        job = "student" if ticket == "student" else rng.choice(JOBS)
        month = {"early bird": (1, 3), "late": (6, 6)}.get(ticket, (3, 5))
        last = 28 if ticket != "late" else 10
        date = f"2024-{rng.randint(*month):02d}-{rng.randint(1, last):02d}"
        diets = [None, "none", "vegetarian", "vegan", "halal", "gluten-free"]
        diet = rng.choices(diets, [8, 55, 18, 9, 6, 4])[0]
        place = rng.choices(list(COUNTRIES), COUNTRIES.values())[0]
        sponsor = (
            rng.choices(range(1, 9), [4, 4, 2, 2, 2, 1, 1, 1])[0] if ticket == "free" else None
        )
        row = (i, name, mail, job, place, ticket, TICKETS[ticket][1], date, diet, sponsor)
        people.append(row)
    db.executemany(f"INSERT INTO attendees VALUES ({', '.join('?' * 10)})", people)
    seen = []
    for person in people:
        for day in DAYS:
            for start in rng.sample(list(SLOTS), rng.choices([0, 1, 2], [40, 35, 25])[0]):
                choices = [t for t in talks if t[6:8] == (day, start)]
                talk = rng.choices(choices, [draw[t[0]] for t in choices])[0]
                stars = rng.choices([5, 4, 3, 2, 1, None], [30, 34, 15, 5, 2, 14])[0]
                seen.append((person[0], talk[0], stars))
    db.executemany("INSERT INTO talk_attendance VALUES (?, ?, ?)", seen)
