"""A language school: teachers, courses from A1 to C2, students, their exams and grades."""

from datetime import date, timedelta

FIRST = """Lena Mateo Aiko Tobias Chiara Ahmed Julie Nikhil Freya Andrei Camila Jonas Sana Pavel
Elif Brigid Thiago Hana Luca Amara Signe Victor Leticia Owen Mina Radek Noemi Youssef Greta Diego
Alma Kenji Paula Rafael Ingrid Sami Daria Emil Xin Teresa Marlon Bea""".split()
LAST = """Vogel Herrera Sato Keller Bianchi Mansour Dubois Rao Larsen Ionescu Souza Berg Malik
Dvorak Aydin Kavanagh Almeida Kimura Conti Okonkwo Lund Marchand Nunes Bowen Park Zielinski Favre
Bennani Hoffmann Vargas Eriksen Mori Stein Cabral Haugen Nasser Orlova Weber Liu Castellano Reid
Fonseca Tran Jovanovic Peeters""".split()
LANGUAGES = ["English", "Spanish", "French", "German", "Italian", "Japanese", "Portuguese"]
POPULAR = [30, 22, 18, 14, 8, 5, 3]
HOMES = "Swiss German Turkish Brazilian Polish Syrian Chinese Ukrainian Italian French".split()
LEVELS = ["A1", "A2", "B1", "B2", "C1", "C2"]
KINDS = ["General", "Conversation", "Business", "Intensive", "Exam Preparation"]
HOURS = {"General": 40, "Conversation": 20, "Business": 30, "Intensive": 80, "Exam Preparation": 36}
SEASONS = [
    ("Autumn 2023", date(2023, 9, 11), 12),
    ("Spring 2024", date(2024, 2, 12), 13),
    ("Autumn 2024", date(2024, 9, 9), 12),
    ("Spring 2025", date(2025, 2, 10), 13),
]


def grade(score):
    "The grade for a score out of 100."
    for letter, least in (("A", 88), ("B", 76), ("C", 66), ("D", 56), ("E", 50)):
        if score >= least:
            return letter
    return "F"


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` a random number generator."
    db.executescript("""
CREATE TABLE Teacher (TeacherId INTEGER PRIMARY KEY, FirstName TEXT, LastName TEXT,
  NativeLanguage TEXT, HireDate TEXT, HourlyRate REAL, ContractType TEXT,
  MentorId INTEGER REFERENCES Teacher(TeacherId));
CREATE TABLE Course (CourseId INTEGER PRIMARY KEY, Title TEXT, Language TEXT, Level TEXT,
  CourseType TEXT, TeacherId INTEGER REFERENCES Teacher(TeacherId), StartDate TEXT, EndDate TEXT,
  Hours INTEGER, MaxStudents INTEGER, Fee REAL, Room TEXT);
CREATE TABLE Student (StudentId INTEGER PRIMARY KEY, FirstName TEXT, LastName TEXT,
  Nationality TEXT, BirthDate TEXT, Email TEXT, Phone TEXT);
CREATE TABLE Enrolment (EnrolmentId INTEGER PRIMARY KEY,
  StudentId INTEGER REFERENCES Student(StudentId), CourseId INTEGER REFERENCES Course(CourseId),
  EnrolmentDate TEXT, FeePaid REAL, Attendance INTEGER, Status TEXT, UNIQUE (StudentId, CourseId));
CREATE TABLE Exam (ExamId INTEGER PRIMARY KEY, CourseId INTEGER REFERENCES Course(CourseId),
  ExamDate TEXT, ExamType TEXT, DurationMinutes INTEGER);
CREATE TABLE ExamResult (ExamId INTEGER REFERENCES Exam(ExamId),
  StudentId INTEGER REFERENCES Student(StudentId), Score INTEGER, Grade TEXT,
  PRIMARY KEY (ExamId, StudentId));
""")
    people = rng.sample([(f, n) for f in FIRST for n in LAST], 26 + 170)
    teachers = []
    for i, (f, n) in enumerate(people[:26], 1):
        lang = LANGUAGES[i - 1] if i <= 7 else rng.choices(LANGUAGES, POPULAR)[0]
        hired = date(2009, 8, 20) + timedelta(days=i * 205 - rng.randint(0, 150))
        rate = 42 - (hired.year - 2009) * 0.9 + rng.choice([0, 0.5, 1, 2, 3])
        kind = rng.choices(["full-time", "part-time", "freelance"], [8, 11, 7])[0]
        same = [t[0] for t in teachers if t[3] == lang]
        mentor = rng.choice(same) if same and i > 12 else None
        teachers.append((i, f, n, lang, hired.isoformat(), round(rate, 1), kind, mentor))
    db.executemany("INSERT INTO Teacher VALUES (?, ?, ?, ?, ?, ?, ?, ?)", teachers)
    courses, taken = [], []
    for season, first, weeks in SEASONS:
        for _ in range(19):
            lang = rng.choices(LANGUAGES, POPULAR)[0]
            level = rng.choices(LEVELS, [26, 24, 22, 15, 9, 4])[0]
            kinds = KINDS[:2] if level in ("A1", "A2") else KINDS
            kind = rng.choices(kinds, [50, 16, 14, 12, 12][: len(kinds)])[0]
            title = f"{lang} {level} {kind} {season}"
            if title in taken:
                title = f"{lang} {level} {kind} Evening {season}"
            if title in taken:
                continue
            taken.append(title)
            start = first + timedelta(days=rng.choice([0, 0, 1, 2, 3, 7]))
            who = rng.choice(
                [t[0] for t in teachers if t[3] == lang and t[4] < start.isoformat()]
                or [t[0] for t in teachers if t[3] == lang]
            )
            fee = HOURS[kind] * rng.choice([9, 9.5, 10]) + (40 if kind == "Business" else 0)
            room = rng.choice(["1.01", "1.02", "1.03", "2.01", "2.04", "2.05", "2.06", None])
            row = (title, lang, level, kind, who, start.isoformat())
            row += ((start + timedelta(weeks=weeks)).isoformat(), HOURS[kind])
            courses.append((len(courses) + 1, *row, rng.choice([8, 10, 12, 12, 14]), fee, room))
    db.executemany(f"INSERT INTO Course VALUES ({', '.join('?' * 12)})", courses)
    students = []
    for i, (f, n) in enumerate(people[26:], 1):
        born = date(2006, 5, 1) - timedelta(days=int(rng.expovariate(1 / 4800)) % 20000)
        home = rng.choices(HOMES, [30, 14, 10, 9, 8, 7, 6, 6, 5, 5])[0]
        mail = f"{f}.{n}@{rng.choice(['mail', 'inbox', 'post'])}.example".lower()
        phone = None if rng.random() < 0.15 else f"07{rng.randint(6, 9)} {rng.randint(200, 989)} "
        phone = phone and phone + f"{rng.randint(10, 99)} {rng.randint(10, 99)}"
        students.append((i, f, n, home, born.isoformat(), mail, phone))
    db.executemany("INSERT INTO Student VALUES (?, ?, ?, ?, ?, ?, ?)", students)
    enrolments, inside = [], {}
    for c in courses:
        size = min(c[9], rng.randint(3, 8))
        weights = [1 / (1 + k / 50) for k in range(170)]
        for s in sorted(dict.fromkeys(rng.choices(range(1, 171), weights, k=size))):
            day = date.fromisoformat(c[6]) - timedelta(days=rng.randint(3, 60))
            status = rng.choices(["completed", "dropped out", "cancelled"], [86, 10, 4])[0]
            if c[6] > "2025" and status == "completed":
                status = "active"
            paid = 0 if status == "cancelled" else c[10] * rng.choice([1, 1, 1, 1, 0.9, 0.5])
            att = min(100, int(rng.triangular(60, 104, 95)))
            att = {"cancelled": None, "dropped out": att // 3}.get(status, att)
            enrolments.append((s, c[0], day.isoformat(), paid, att, status))
            if status == "completed":
                inside.setdefault(c[0], []).append((s, att))
    enrolments = sorted(enrolments, key=lambda e: (e[2], e[0], e[1]))
    rows = [(i, *e) for i, e in enumerate(enrolments, 1)]
    db.executemany("INSERT INTO Enrolment VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    exams, results = [], []
    for c in courses:
        if c[0] not in inside:
            continue
        end = date.fromisoformat(c[7])
        both = rng.choice([["written"], ["written", "oral"]])
        for kind in ["oral"] if c[4] == "Conversation" else both:
            day = end - timedelta(days=rng.randint(0, 6))
            length = 20 if kind == "oral" else 60 + 15 * LEVELS.index(c[3])
            exams.append((len(exams) + 1, c[0], day.isoformat(), kind, length))
            for s, att in inside[c[0]]:
                if rng.random() < 0.93:
                    score = min(100, max(28, int(rng.gauss(att * 0.8, 11))))
                    results.append((len(exams), s, score, grade(score)))
    db.executemany("INSERT INTO Exam VALUES (?, ?, ?, ?, ?)", exams)
    db.executemany("INSERT INTO ExamResult VALUES (?, ?, ?, ?)", results)
