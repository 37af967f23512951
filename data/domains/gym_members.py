"""A gym's member spreadsheet that grew sheet by sheet: members, payments, classes and bookings."""

from datetime import date, timedelta

FIRST = """Sarah James Aisha Connor Megan Ryan Priya Lewis Chloe Jamal Natalie Craig Holly Mohammed
Gemma Stuart Kelly Dean Agnieszka Piotr Zainab Rhys Lauren Kieran Sunita Darren Beth Marcin Yvonne
Tariq Ellie Scott Funmi Joel Claire Andrei Rebecca Hamish Denise Luca Tanya Gareth Mei
Warren""".split()
LAST = """Thompson Hussain Davies Wójcik Robertson Okoro Singh McKenna Baker Lewandowski Price
Campbell Rahman Foster Griffiths Adeleke Turner Stone Ionescu Ward Mistry Kelly Bailey Costa Holmes
Ahmed Reid Parsons Zhang Marsh Barnes O'Neill Douglas Bianchi Cole Sutton Khan Lloyd Perry
Whelan""".split()
TRAINERS = """Debbie Sharpe|Spin|12/03/2015|24.50
Kofi Boateng|Strength|01/09/2017|28.00
Lena Fischer|Yoga|15/01/2018|30.00
Marcus Bell|Boxing|20/05/2019|26.00
Rosa Delgado|Dance|07/10/2019|22.50
Tom Pritchard|Strength|03/02/2021|25.00
Anjali Rao|Yoga|11/04/2022|27.50
Wes Harding|Spin|09/01/2023|21.00"""
CLASSES = """Early Spin|Debbie Sharpe|Monday|06:30|45|20|Studio 1|14
Spin & Core|Wes Harding|Wednesday|18:30|60|20|Studio 1|12
Saturday Spin|Debbie Sharpe|Saturday|09:00|45|20|Studio 1|16
Kettlebells|Kofi Boateng|Tuesday|18:00|45|16|Weights Room|9
Lift Club|Tom Pritchard|Thursday|19:00|60|12|Weights Room|7
Bootcamp|Kofi Boateng|Saturday|10:30|60|24|Outside|13
Vinyasa Yoga|Lena Fischer|Tuesday|19:30|75|18|Studio 2|12
Gentle Yoga|Anjali Rao|Friday|10:00|60|18|Studio 2|8
Sunday Stretch|Anjali Rao|Sunday|10:00|60|18|Studio 2|6
Boxercise|Marcus Bell|Monday|19:00|60|16|Studio 2|11
Beginners Boxing|Marcus Bell|Wednesday|20:00|60|12|Studio 2|5
Zumba|Rosa Delgado|Thursday|18:00|60|30|Main Hall|15
Latin Dance Fit|Rosa Delgado|Sunday|11:30|60|30|Main Hall|7"""
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
FEES = {"Standard": 29.99, "Off Peak": 19.99, "Student": 17.50, "Premium": 44.99, "Family": 54.00}
HEARD = ["Friend", "Google", "Facebook", "Leaflet", "Walked past", "Instagram"]


def uk(day):
    "The date as the receptionist types it."
    return day.strftime("%d/%m/%Y")


def build(db, rng):
    "Create and fill the sheets."
    db.executescript("""
    CREATE TABLE "Members" ("Member No" INTEGER PRIMARY KEY, "First Name" TEXT, "Surname" TEXT,
        "Gender" TEXT, "Date of Birth" TEXT, "Postcode" TEXT, "Membership Type" TEXT,
        "Monthly Fee" REAL, "Date Joined" TEXT, "Date Left" TEXT, "Active" TEXT,
        "Height cm" INTEGER, "Weight kg" REAL, "Heard About Us" TEXT);
    CREATE TABLE "Trainers" ("Trainer Name" TEXT, "Speciality" TEXT, "Start Date" TEXT,
        "Hourly Rate" REAL);
    CREATE TABLE "Classes" ("Class Name" TEXT, "Trainer" TEXT, "Day" TEXT, "Start Time" TEXT,
        "Length (mins)" INTEGER, "Max Places" INTEGER, "Room" TEXT);
    CREATE TABLE "Class Bookings" ("Booking No" INTEGER PRIMARY KEY, "Member No" INTEGER,
        "Class Name" TEXT, "Class Date" TEXT, "Booked By" TEXT, "Attended" TEXT);
    CREATE TABLE "Payments" ("Receipt No" INTEGER PRIMARY KEY, "Member No" INTEGER,
        "Date Paid" TEXT, "Amount" REAL, "Method" TEXT, "For" TEXT);
    """)
    for line in TRAINERS.splitlines():
        name, speciality, start, rate = line.split("|")
        row = (name, speciality, start, float(rate))
        db.execute('INSERT INTO "Trainers" VALUES (?, ?, ?, ?)', row)
    classes = [line.split("|") for line in CLASSES.splitlines()]
    for name, trainer, day, start, minutes, places, room, _ in classes:
        row = (name, trainer, day, start, int(minutes), int(places), room)
        db.execute('INSERT INTO "Classes" VALUES (?, ?, ?, ?, ?, ?, ?)', row)

    today, members, names = date(2024, 3, 31), [], {}
    started = sorted(
        date(2017, 1, 3) + timedelta(int(rng.random() ** 0.6 * 2610)) for _ in range(150)
    )
    while len(members) < 150:
        name = (rng.choice(FIRST), rng.choice(LAST))
        if name in names:
            continue
        joined, names[name] = started[len(members)], True
        kind = rng.choices(list(FEES), [48, 16, 14, 15, 7])[0]
        age = rng.randint(18, 24) if kind == "Student" else int(rng.triangular(19, 76, 33))
        born = joined - timedelta(int((age + rng.random()) * 365.25))
        male = (
            name[0] in "James Connor Ryan Lewis Jamal Craig Mohammed Stuart Dean Piotr Rhys Kieran"
        )
        male = male or name[0] in "Darren Marcin Tariq Scott Joel Andrei Hamish Luca Gareth Warren"
        height = round(rng.gauss(178 if male else 165, 7))
        weight = round(max(21, rng.gauss(26, 3.5)) * height * height / 10000 * 2) / 2
        left = joined + timedelta(30 + int(rng.expovariate(1 / 1500)))
        left = None if left > today else left
        measured = rng.random() < 0.85
        members.append((len(members) + 1001, joined, left or today, FEES[kind]))
        row = (
            *(len(members) + 1000, *name, "M" if male else "F", uk(born)),
            f"LS{rng.choice((6, 6, 6, 4, 4, 7, 16, 5, 8))} {rng.randint(1, 9)}"
            + "".join(rng.choices("ABDEFGHJLNPQRSTUWXYZ", k=2)),
            *(kind, FEES[kind], uk(joined), left and uk(left), "N" if left else "Y"),
            *((height, weight) if measured else (None, None)),
            None if rng.random() < 0.15 else rng.choices(HEARD, [38, 22, 15, 6, 12, 9])[0],
        )
        marks = ", ".join("?" * len(row))
        db.execute(f'INSERT INTO "Members" VALUES ({marks})', row)

    keen = [rng.random() ** 3 + 0.03 for _ in members]
    bookings, payments = [], []
    while len(bookings) < 340:
        day = date(2023, 10, 2) + timedelta(rng.randrange(182))
        today_on = [c for c in classes if c[2] == DAYS[day.weekday()]]
        one = rng.choices(today_on, [int(c[7]) for c in today_on])[0]
        member, joined, until, _ = rng.choices(members, keen)[0]
        if not joined <= day <= until or rng.random() > int(one[7]) / 16:
            continue
        by = rng.choices(["App", "Phone", "Desk"], [62, 14, 24])[0]
        came = rng.choices(["Y", "N", None], [78, 14, 8])[0]
        booking = (day, member, one[0], uk(day), by, came)
        if booking[:3] not in [b[:3] for b in bookings]:
            bookings.append(booking)
    bookings.sort(key=lambda b: (b[0], b[1]))
    rows = [(i, *b[1:]) for i, b in enumerate(bookings, 1)]
    db.executemany('INSERT INTO "Class Bookings" VALUES (?, ?, ?, ?, ?, ?)', rows)
    extras = {"Personal training": 35.0, "Locker": 12.0, "Towel hire": 2.5, "Protein shake": 3.99}
    for member, joined, until, fee in members:
        how = rng.choices(["Direct Debit", "Card", "Cash"], [66, 26, 8])[0]
        for month in (1, 2, 3):
            day = date(2024, month, 1 if how == "Direct Debit" else rng.randint(1, 12))
            if joined <= day <= until:
                payments.append((day, member, fee, how, "Membership"))
        if joined >= date(2023, 4, 1):
            payments.append((joined, member, 25.0, rng.choice(("Card", "Cash")), "Joining fee"))
        if until == today and rng.random() < 0.4:
            what = rng.choices(list(extras), [25, 20, 20, 35])[0]
            day = max(joined, date(2024, 1, 2) + timedelta(rng.randrange(88)))
            payments.append((day, member, extras[what], rng.choice(("Card", "Cash")), what))
    payments.sort(key=lambda p: (p[0], p[1]))
    for i, (day, member, amount, how, what) in enumerate(payments, 5001):
        row = (i, member, uk(day), amount, how, what)
        db.execute('INSERT INTO "Payments" VALUES (?, ?, ?, ?, ?, ?)', row)
