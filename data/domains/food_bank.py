"""A food bank in a small town: households, their parcels, what is in them, helpers, shifts."""

from datetime import date, timedelta

HOMES = """Abernethy,Quarry Lane,Northgate;Bukowska,Tanner's Row,Riverside;
Chaudhry,Mill Street,Riverside;
Dunmore,Station Road,Hillside;Eze,Quarry Lane,Northgate;Fairclough,Orchard Close,Eastfield;
Gashi,Mill Street,Riverside;Hartigan,Bishop's Walk,Hillside;Ilic,Pond Terrace,Eastfield;
Jardine,Station Road,Hillside;Kamara,Tanner's Row,Riverside;Lomax,Orchard Close,Eastfield;
Mistry,Chapel Hill,Northgate;Nesbitt,Quarry Lane,Northgate;Oduya,Pond Terrace,Eastfield;
Pettifer,Bishop's Walk,Hillside;Quigley,Chapel Hill,Northgate;Rahimi,Mill Street,Riverside;
Sowerby,Orchard Close,Eastfield;Tesfaye,Tanner's Row,Riverside;Underhill,Farm Track,Coldwell;
Varga,Chapel Hill,Northgate;Wolstenholme,Farm Track,Coldwell;Yilmaz,Mill Street,Riverside;
Zielinski,Quarry Lane,Northgate;Ashdown,Pond Terrace,Eastfield;Brannigan,Farm Track,Coldwell;
Calloway,Station Road,Hillside;Dhaliwal,Chapel Hill,Northgate;Emsworth,Bishop's Walk,Hillside"""
HELPERS = """Audrey Pickersgill,1948,retired;Benedict Osei,1961,retired;
Carys Lloyd-Hughes,1999,student;
Derek Mumby,1953,retired;Esme Tranter,2004,student;Farid Noorani,1978,taxi driver;
Glenys Rowbotham,1957,retired;Hamish Corrie,1985,baker;Ines Figueira,1992,nurse;
Jocelyn Webb,1969,accountant;Keiran Doyle,2006,student;Lorna Twelvetrees,1974,teacher;
Mateusz Wrona,1988,warehouse worker;Nkechi Adeyemi,1995,nurse;Oswald Finch,1944,retired;
Prudence Ackroyd,1963,teacher;Rafferty Sims,2001,student;Shabnam Qureshi,1982,solicitor"""
ITEMS = """Baked beans,tin,415,96,60;Chopped tomatoes,tin,400,41,60;Tuna chunks,tin,145,74,50;
Chickpeas,tin,400,58,30;Corned beef,tin,340,12,20;Peach slices,tin,410,37,25;
Vegetable soup,tin,405,63,50;Rice pudding,tin,400,22,24;Spaghetti,dry food,500,88,40;
Basmati rice,dry food,1000,35,40;Porridge oats,dry food,1000,27,20;Cornflakes,dry food,450,18,25;
Red lentils,dry food,500,44,20;Plain flour,dry food,1500,16,15;Sugar,dry food,1000,31,20;
Tea bags,drink,250,52,30;Instant coffee,drink,100,19,20;UHT milk,drink,1030,102,80;
Orange squash,drink,1080,14,15;Nappies size 4,baby,1400,9,12;Baby wipes,baby,420,23,15;
Formula milk,baby,800,7,10;Toothpaste,toiletries,120,33,20;Shampoo,toiletries,290,21,15;
Bar soap,toiletries,105,47,20;Toilet roll,toiletries,440,68,50;Sanitary towels,toiletries,130,26,18;
Washing powder,household,650,11,16;Washing-up liquid,household,480,24,12;
Peanut butter,spread,340,29,20;
Strawberry jam,spread,454,36,20;Olive oil,spread,500,5,10"""
REFERRERS = ["school", "doctor", "council", "church", "job centre", "neighbour"]


def rows(text):
    return [r.strip().split(",") for r in text.replace("\n", "").split(";")]


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` a random number generator."
    db.executescript("""
CREATE TABLE households (id INTEGER PRIMARY KEY, surname TEXT, street TEXT, area TEXT,
  adults INTEGER, children INTEGER, diet TEXT, referred_by TEXT, registered_on TEXT, phone TEXT,
  pets INTEGER);
CREATE TABLE volunteers (id INTEGER PRIMARY KEY, name TEXT UNIQUE, birth_year INTEGER, job TEXT,
  started_on TEXT, left_on TEXT, can_drive TEXT, mentor_id INTEGER REFERENCES volunteers(id));
CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT UNIQUE, category TEXT, grams INTEGER,
  stock INTEGER, min_stock INTEGER, best_before TEXT);
CREATE TABLE parcels (id INTEGER PRIMARY KEY, household_id INTEGER REFERENCES households(id),
  packed_by INTEGER REFERENCES volunteers(id), packed_on TEXT, handed_over_on TEXT, way TEXT,
  note TEXT);
CREATE TABLE parcel_items (parcel_id INTEGER REFERENCES parcels(id),
  item_id INTEGER REFERENCES items(id), quantity INTEGER, PRIMARY KEY (parcel_id, item_id));
CREATE TABLE shifts (id INTEGER PRIMARY KEY, volunteer_id INTEGER REFERENCES volunteers(id),
  day TEXT, task TEXT, hours REAL, site TEXT);
""")
    homes, helpers, items = rows(HOMES), rows(HELPERS), rows(ITEMS)
    for i, (surname, street, area) in enumerate(homes, 1):
        diet = rng.choices(
            [None, "vegetarian", "halal", "gluten free", "vegan"], [60, 12, 14, 9, 5]
        )[0]
        diet = "halal" if surname in ("Rahimi", "Chaudhry", "Yilmaz") else diet
        since = date(2023, 4, 3) + timedelta(days=rng.randint(0, 990))
        phone = (
            None
            if rng.random() < 0.2
            else f"07{rng.randint(300, 989)} {rng.randint(100000, 999999)}"
        )
        adults, kids = (
            rng.choices([1, 2, 3, 4], [40, 45, 11, 4])[0],
            rng.choices(range(6), [25, 22, 25, 16, 8, 4])[0],
        )
        row = (
            i,
            surname,
            street,
            area,
            adults,
            kids,
            diet,
            rng.choice(REFERRERS),
            since.isoformat(),
        )
        db.execute(
            "INSERT INTO households VALUES (?,?,?,?,?,?,?,?,?,?,?)",
            (*row, phone, rng.choice([0, 0, 0, 1, 1, 2, 3])),
        )
    for i, (name, born, job) in enumerate(helpers, 1):
        begun = date(2019, 2, 4) + timedelta(days=rng.randint(0, 400) + 118 * (i if i > 3 else 0))
        left = "2025-11-28" if i == 9 else "2026-01-16" if i == 15 else None
        drives = "no" if job == "student" and i != 17 or i in (1, 15) else "yes"
        mentor = None if i <= 3 else rng.choice([1, 1, 2, 2, 3, 4][: i + 1]) if i > 4 else 2
        row = (i, name, int(born), job, begun.isoformat(), left, drives, mentor)
        db.execute("INSERT INTO volunteers VALUES (?,?,?,?,?,?,?,?)", row)
    for i, (name, kind, grams, stock, least) in enumerate(items, 1):
        best = (date(2026, 4, 10) + timedelta(days=rng.randint(0, 640))).isoformat()
        best = (
            None
            if kind in ("toiletries", "household") or name in ("Baby wipes", "Nappies size 4")
            else best
        )
        db.execute(
            "INSERT INTO items VALUES (?,?,?,?,?,?,?)",
            (i, name, kind, int(grams), int(stock), int(least), best),
        )
    packers = [2, 3, 4, 4, 5, 7, 7, 7, 8, 10, 12, 13, 13, 16, 18]
    notes = [None] * 7 + [
        "leave with neighbour",
        "birthday cake added",
        "no fresh milk",
        "ring the bell twice",
    ]
    since = dict(
        db.execute("SELECT id, registered_on FROM households WHERE id NOT IN (11, 23, 28)")
    )
    for p in range(1, 91):
        packed = date(2025, 9, 2) + timedelta(days=int(p * 2.2))
        packed -= timedelta(days=packed.month == 12 and packed.day == 25)
        wait = rng.choices([0, 1, 2, 3, 6], [34, 30, 20, 10, 6])[0]
        handed = None if p > 85 or p in (31, 64) else (packed + timedelta(days=wait)).isoformat()
        home = rng.choice([h for h, day in since.items() if day <= packed.isoformat()])
        way = rng.choices(["collected", "delivered"], [6, 4])[0]
        way = "delivered" if homes[home - 1][2] == "Coldwell" else way
        row = (p, home, rng.choice(packers), packed.isoformat(), handed, way, rng.choice(notes))
        db.execute("INSERT INTO parcels VALUES (?,?,?,?,?,?,?)", row)
        likely = [int(x[3]) ** 0.7 for x in items[:31]]
        for it in sorted(set(rng.choices(range(1, 32), likely, k=rng.randint(2, 7))))[:6]:
            db.execute(
                "INSERT INTO parcel_items VALUES (?,?,?)",
                (p, it, rng.choice([1, 1, 1, 2, 2, 3, 4])),
            )
    for s in range(1, 121):
        day = date(2025, 9, 1) + timedelta(days=int(s * 1.7))
        day -= timedelta(days=day.month == 12 and day.day == 25)
        who = rng.choice(
            [w for w in range(1, 19) if w != 11 and (w != 9 or s < 50) and (w != 15 or s < 78)]
        )
        task = rng.choices(
            ["packing", "front desk", "sorting", "driving", "van loading"], [30, 20, 25, 15, 10]
        )[0]
        task = "sorting" if task == "driving" and who in (1, 3, 5, 15) else task
        site = rng.choices(["Methodist hall", "Unit 6", "Market stall"], [5, 4, 1])[0]
        hours = rng.choice([2, 2.5, 3, 3, 3.5, 4, 5])
        db.execute(
            "INSERT INTO shifts VALUES (?,?,?,?,?,?)", (s, who, day.isoformat(), task, hours, site)
        )
