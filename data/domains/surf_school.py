"""A surf school: instructors, students, lessons on the beaches, boards and their rentals."""

import datetime

FIRST = """Ada Bruno Cleo Dylan Erin Finn Gemma Hugo Ines Jonas Keira Luca Maya Noah Orla Piotr
Rosa Sami Tess Umar Vera Will Yara Zoe Aidan Bea Callum Daphne Elias Freya Gabriel Heidi Isla Jin
Kaito Leonie Marta Nils Olivia Paolo""".split()
LAST = """Andrews Baptista Carvalho Dunne Ericsson Fontaine Gallagher Hoffmann Ivanova Jenkins
Keller Lindgren Murphy Nguyen Oliveira Penrose Rossi Schmidt Trevena Usman Vidal Walsh Zanetti
Ashby Bosman Cortez Doyle Eastman Fischer Grant Hughes Janssen Kemp Lopes Moreno""".split()
TOWNS = {"Porthleven": 6, "Bristol": 18, "London": 22, "Exeter": 15, "Newquay": 20, "Cardiff": 9}
BEACHES = [
    (1, "Fistral Point", "sand", "all levels", 12, "Y"),
    (2, "Towan Cove", "sand", "beginner", 3, "Y"),
    (3, "Watergate", "sand", "intermediate", 15, "Y"),
    (4, "Black Ledge", "reef", "advanced", 22, "N"),
    (5, "Crantock Mouth", "sandbar", "intermediate", 18, "N"),
    (6, "Lusty Bay", "sand", "beginner", 9, "Y"),
    (7, "Gannel Rocks", "reef", "advanced", 27, "N"),
]
INSTRUCTORS = [
    (1, "Jago Trevarrow", "head coach", 42.0, 2011, 188),
    (2, "Morwenna Pascoe", "senior", 34.0, 2014, 171),
    (3, "Tiago Ferraz", "senior", 34.0, 2016, 179),
    (4, "Kiri Ngata", "senior", 32.5, 2018, 168),
    (5, "Ben Holloway", "junior", 24.0, 2021, 183),
    (6, "Saoirse Quinn", "junior", 24.0, 2022, 165),
    (7, "Lars Bakke", "junior", 22.5, 2023, 192),
    (8, "Amina Diallo", "assistant", 18.0, 2024, 174),
]
TYPES = {
    "group": (60, 35.0, 8, 120),
    "private": (22, 79.0, 1, 90),
    "family": (10, 29.5, 5, 120),
    "kids club": (14, 25.0, 8, 90),
    "video coaching": (6, 95.0, 2, 150),
}
BOARDS = {
    "foamie": (26, (213, 274), "Softwave", 12.0, 320),
    "longboard": (12, (265, 305), "Tidewell", 18.0, 690),
    "funboard": (12, (215, 245), "Tidewell", 15.0, 520),
    "shortboard": (10, (175, 200), "Kestrel", 20.0, 640),
    "bodyboard": (8, (95, 112), "Softwave", 8.5, 140),
    "SUP": (5, (305, 340), "Kestrel", 25.0, 890),
}
COLOURS = ["blue", "blue", "yellow", "white", "white", "white", "red", "turquoise", "orange"]


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` the source of chance."
    db.executescript("""
CREATE TABLE beaches (id INTEGER PRIMARY KEY, name TEXT, bottom TEXT, suited_to TEXT,
    minutes_by_van INTEGER, lifeguard TEXT);
CREATE TABLE instructors (id INTEGER PRIMARY KEY, name TEXT, grade TEXT, hourly_pay REAL,
    started INTEGER, height_cm INTEGER);
CREATE TABLE students (id INTEGER PRIMARY KEY, name TEXT, birth_year INTEGER, height_cm INTEGER,
    weight_kg REAL, level TEXT, town TEXT, stance TEXT, can_swim TEXT);
CREATE TABLE lessons (id INTEGER PRIMARY KEY, date TEXT, start TEXT, type TEXT, minutes INTEGER,
    beach_id INTEGER REFERENCES beaches(id), instructor_id INTEGER REFERENCES instructors(id),
    wave_height_m REAL, price REAL, status TEXT);
CREATE TABLE lesson_students (lesson_id INTEGER REFERENCES lessons(id),
    student_id INTEGER REFERENCES students(id), paid TEXT, rating INTEGER,
    PRIMARY KEY (lesson_id, student_id));
CREATE TABLE boards (id INTEGER PRIMARY KEY, label TEXT, type TEXT, brand TEXT, length_cm INTEGER,
    colour TEXT, bought INTEGER, cost REAL, condition TEXT);
CREATE TABLE board_rentals (id INTEGER PRIMARY KEY, board_id INTEGER REFERENCES boards(id),
    student_id INTEGER REFERENCES students(id), date TEXT, hours INTEGER, price REAL,
    deposit_back TEXT);
""")
    day = datetime.timedelta(days=1)
    opening = datetime.date(2024, 4, 6)
    db.executemany("INSERT INTO beaches VALUES (?, ?, ?, ?, ?, ?)", BEACHES)
    db.executemany("INSERT INTO instructors VALUES (?, ?, ?, ?, ?, ?)", INSTRUCTORS)
    students = []
    for i, (first, last) in enumerate(rng.sample([(f, s) for f in FIRST for s in LAST], 130), 1):
        age = int(rng.triangular(8, 58, 22))
        tall = rng.gauss(171, 9) if age > 16 else rng.gauss(128 + (age - 8) * 5, 6)
        heavy = round((tall / 100) ** 2 * rng.gauss(23 if age > 16 else 18.5, 2), 1)
        odds = [50, 33, 17] if age > 14 else [75, 22, 3]
        level = rng.choices(["beginner", "intermediate", "advanced"], odds)[0]
        heavy = heavy if rng.random() < 0.9 else None
        stance = rng.choices(["regular", "goofy", None], [62, 27, 11])[0]
        town = rng.choices(list(TOWNS), TOWNS.values())[0]
        swims = "N" if level == "beginner" and rng.random() < 0.06 else "Y"
        person = (i, f"{first} {last}", 2024 - age, int(tall), heavy, level, town, stance, swims)
        students.append(person)
    db.executemany("INSERT INTO students VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", students)
    keen = {s[0]: rng.paretovariate(1.6) for s in students}
    lessons, taken = [], []
    dates = sorted(opening + int(rng.triangular(0, 178, 115)) * day for _ in range(105))
    for i, date in enumerate(dates, 1):
        kind = rng.choices(list(TYPES), [t[0] for t in TYPES.values()])[0]
        _, price, most, minutes = TYPES[kind]
        level = rng.choices(["beginner", "intermediate", "advanced"], [55, 33, 12])[0]
        level = "advanced" if kind == "video coaching" else level
        group = [s for s in students if s[5] == level]
        group = [s for s in students if s[2] >= 2010] if kind == "kids club" else group
        level = "beginner" if kind == "kids club" else level
        beach = rng.choice([b for b in BEACHES if b[3] == level or b[0] == 1])
        waves = {"beginner": 0.7, "intermediate": 1.1, "advanced": 1.7}[level]
        waves = round(max(0.3, rng.gauss(waves, 0.25)), 1)
        teacher = rng.choices(range(1, 9), [5, 9, 9, 8, 7, 7, 5, 3])[0]
        teacher = rng.choice([1, 2, 3]) if kind == "video coaching" else teacher
        status = rng.choices(["done", "cancelled", "moved"], [88, 9, 3])[0]
        status = "booked" if i > 98 else status
        start = rng.choices(["09:00", "11:30", "14:00", "16:30"], [4, 6, 5, 2])[0]
        lessons.append(
            (i, date, start, kind, minutes, beach[0], teacher)
            + (None if status != "done" else waves, price, status)
        )
        for _ in range(rng.randint((most + 2) // 3, (3 * most + 3) // 4)):
            who = rng.choices(group, [keen[s[0]] for s in group])[0][0]
            if all(t[:2] != (i, who) for t in taken):
                paid = "Y" if status == "done" and rng.random() < 0.93 else "N"
                stars = rng.choices([5, 4, 3, 2, None], [50, 25, 8, 3, 14])[0]
                taken.append((i, who, paid, stars if status == "done" else None))
    db.executemany(f"INSERT INTO lessons VALUES ({', '.join('?' * 10)})", lessons)
    db.executemany("INSERT INTO lesson_students VALUES (?, ?, ?, ?)", taken)
    boards = []
    for kind, (many, (low, high), brand, _, cost) in BOARDS.items():
        for n in range(1, many + 1):
            year = int(rng.triangular(2017, 2025, 2022))
            state = ["new", "good", "good", "worn", "damaged"]
            state = rng.choices(state[:2] if year > 2022 else state[1:])[0]
            size, paint = rng.randint(low, high), rng.choice(COLOURS)
            label, cost_now = f"{kind[:2].upper()}-{n:02d}", cost * rng.choice([0.9, 1, 1, 1.1])
            boards.append((label, kind, brand, size, paint, year, round(cost_now, 2), state))
    db.executemany("INSERT INTO boards VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)", boards)
    rentals, out = [], []
    for date in sorted(opening + int(rng.triangular(0, 178, 115)) * day for _ in range(210)):
        board = rng.randint(1, len(boards))
        if (board, date) not in out and boards[board - 1][7] != "damaged":
            out.append((board, date))
            who = rng.choices(students, keen.values())[0][0]
            hours = rng.choices([1, 2, 3, 4, 8], [20, 40, 15, 15, 10])[0]
            rate = BOARDS[boards[board - 1][1]][3]
            price = rate * hours if hours < 8 else rate * 4
            back = rng.choices(["Y", "N"], [94, 6])[0]
            rentals.append((board, who, date, hours, price, back))
    db.executemany("INSERT INTO board_rentals VALUES (NULL, ?, ?, ?, ?, ?, ?)", rentals)
