"""A community garden's spreadsheet: plots, their holders, the waiting list and harvests."""

import datetime

FIRST = """Margaret Dilip Siobhan Pawel Yetunde Graham Ingrid Hassan Beatrice Tomasz
Olwen Kenji Rosa Clive Amina Fergus Noor Sandra Luca Priya Derek Mei Hannah Kwame Joan
Stefan Leila Rhys Chloe Mateo Doreen Vikram Aoife Brian Zofia Imran Elsie Nikos Tanya
Gareth Abena Colin Marta Sunil""".split()
LAST = """Hartley Patel O'Brien Nowak Adeyemi Thistlewood Larsen Rahman Whitcombe
Okafor Pritchard Sato Ferreira Bagshaw Farouk MacLeod Haddad Lowe Rossi Menon Stubbs
Cheung Fielding Mensah Varga Bowen Hosseini Delgado Crabtree Iyer Gallagher Dunmore
Kowalska Aziz Papadakis Sharpe Ivanova Quinn Weller Boateng Marsh Simoes""".split()
CROPS = [  # crop, kind, first and last month, usual kg, how popular
    ("Potatoes", "Root", 6, 9, 4.5, 10),
    ("Courgettes", "Fruiting", 7, 9, 1.6, 9),
    ("Runner Beans", "Legume", 7, 9, 1.1, 8),
    ("Tomatoes", "Fruiting", 7, 10, 1.8, 8),
    ("Onions", "Root", 7, 9, 2.4, 6),
    ("Carrots", "Root", 7, 10, 1.5, 5),
    ("Kale", "Leaf", 4, 11, 0.5, 5),
    ("Rhubarb", "Soft Fruit", 4, 6, 1.2, 4),
    ("Strawberries", "Soft Fruit", 6, 7, 0.9, 5),
    ("Raspberries", "Soft Fruit", 7, 8, 0.7, 4),
    ("Broad Beans", "Legume", 5, 7, 1.3, 4),
    ("Lettuce", "Leaf", 5, 9, 0.4, 4),
    ("Pumpkins", "Fruiting", 9, 10, 6.0, 3),
    ("Beetroot", "Root", 6, 10, 1.2, 3),
    ("Garlic", "Root", 6, 8, 0.8, 2),
    ("Mint", "Herb", 5, 9, 0.1, 1),
]
JOBS = """Hedge Trimming;Path Clearing;Water Butt Repairs;Spring Tidy;Compost Turning;Fence Mending
Shed Painting;Pond Clean;Bonfire and Tidy;Gate Rehanging;Skip Day;Woodchip Delivery""".replace(
    "\n", ";"
)
NOTES = [
    "first of the year",
    "slug damage",
    "shared with neighbours",
    "for the show",
    "bolted",
    "small",
]


def day(start, days):
    return (datetime.date.fromisoformat(start) + datetime.timedelta(days=days)).isoformat()


def build(db, rng):
    db.executescript("""
        CREATE TABLE "Plot Holders" ("Holder No" INTEGER PRIMARY KEY, "Name" TEXT, "Phone" TEXT,
            "Village" TEXT, "Joined" TEXT, "Concession" TEXT, "Key Deposit" REAL);
        CREATE TABLE "Plots" ("Plot No" TEXT PRIMARY KEY, "Size sqm" INTEGER, "Holder No" INTEGER,
            "Soil" TEXT, "Shed" TEXT, "Yearly Rent" REAL, "Rent Paid" TEXT, "Condition" TEXT);
        CREATE TABLE "Waiting List" ("Position" INTEGER PRIMARY KEY, "Name" TEXT, "Phone" TEXT,
            "Village" TEXT, "Date Applied" TEXT, "Size Wanted" TEXT, "Offers Refused" INTEGER);
        CREATE TABLE "Crops" ("Crop" TEXT PRIMARY KEY, "Kind" TEXT, "Price per kg" REAL);
        CREATE TABLE "Harvest Log" ("Entry" INTEGER PRIMARY KEY, "Plot No" TEXT, "Date" TEXT,
            "Crop" TEXT, "Weight kg" REAL, "Notes" TEXT);
        CREATE TABLE "Work Days" ("Date" TEXT PRIMARY KEY, "Job" TEXT, "Weather" TEXT);
        CREATE TABLE "Work Day Helpers" ("Date" TEXT, "Holder No" INTEGER, "Hours" REAL);
    """)
    names = [f"{first} {last}" for first in FIRST for last in LAST]
    names = rng.sample(names, 146)
    villages = ["Thornbury", "Little Marsh", "Easton", "Cold Ash", "Nether Wick", "Bramley Green"]

    def person():
        phone = f"07{rng.randint(400, 999)} {rng.randint(100000, 999999)}"
        return phone if rng.random() > 0.12 else None, rng.choices(villages, [9, 5, 4, 2, 2, 1])[0]

    holders = []
    for number, joined in enumerate(sorted(int(5400 * rng.random() ** 0.7) for _ in range(78)), 1):
        concession = rng.choices(["Full Rent", "Senior", "Student", "Low Income"], [50, 30, 6, 14])[
            0
        ]
        deposit = 5.0 if joined < 2200 else 10.0
        joined = day("2009-03-01", joined)
        holders.append((number, names[number], *person(), joined, concession, deposit))
    db.executemany('INSERT INTO "Plot Holders" VALUES (?, ?, ?, ?, ?, ?, ?)', holders)

    concession = {row[0]: row[5] for row in holders}
    owners = list(concession) + rng.sample(list(concession), 9) + [None] * 9
    rng.shuffle(owners)
    plots = []
    for i, owner in enumerate(owners):
        size = rng.choices([63, 125, 188, 250], [20, 45, 10, 25])[0] + rng.choice([0, 0, 0, -3, 4])
        soil = rng.choices(["Clay", "Loam", "Sandy", "Stony"], [40, 35, 15, 10])[0]
        shed = rng.choices(["Y", "N"], [55, 45])[0] if owner else "N"
        share = 1 if concession.get(owner, "Full Rent") == "Full Rent" else 0.5
        rent = round(size * 0.36 * share * 2) / 2
        paid = rng.choices(["Yes", "No", "Part"], [80, 13, 7])[0] if owner else None
        state = ["Well Kept", "Untidy", "Overgrown", "Part Worked"]
        state = rng.choices(state, [60, 18, 6, 16] if owner else [0, 20, 75, 5])[0]
        number = f"{'ABCD'[i // 24]}{i % 24 + 1}"
        plots.append((number, size, owner, soil, shed, rent, paid, state))
    db.executemany('INSERT INTO "Plots" VALUES (?, ?, ?, ?, ?, ?, ?, ?)', plots)

    waiting = []
    for place, applied in enumerate(sorted(rng.sample(range(1000), 62)), 1):
        wanted = rng.choices(["Half", "Full", "Any", "Starter Bed"], [40, 20, 30, 10])[0]
        refused = rng.choices([0, 1, 2, 3], [75, 17, 6, 2])[0] if applied < 600 else 0
        name, applied = names[80 + place], day("2021-11-03", applied)
        waiting.append((place, name, *person(), applied, wanted, refused))
    db.executemany('INSERT INTO "Waiting List" VALUES (?, ?, ?, ?, ?, ?, ?)', waiting)

    prices = [1.2, 2.5, 4.5, 3.8, 1.1, 1.3, 6.0, 4.0, 8.5, 12.0, 4.2, 5.5, 1.5, 2.2, 9.0, 15.0]
    db.executemany(
        'INSERT INTO "Crops" VALUES (?, ?, ?)',
        [(crop[0], crop[1], price) for crop, price in zip(CROPS, prices)],
    )
    growers = [row for row in plots if row[2] and row[7] != "Overgrown"]
    joined = {row[0]: row[4] for row in holders}
    keen = rng.sample(growers, 40)
    log = []
    while len(log) < 320:
        plot = rng.choice(keen if rng.random() < 0.8 else growers)
        crop, _, first, last, usual, _ = rng.choices(CROPS, [c[5] for c in CROPS])[0]
        year = rng.choices([2022, 2023, 2024], [2, 3, 4])[0]
        date = f"{year}-{rng.randint(first, last):02}-{rng.randint(1, 30):02}"
        if date < joined[plot[2]]:
            continue
        weight = max(0.1, round(usual * rng.uniform(0.4, 1.7) * (plot[1] / 150) ** 0.5, 1))
        note = rng.choice(NOTES) if rng.random() < 0.85 else None
        log.append((date, plot[0], crop, weight, note))
    log.sort(key=lambda row: row[:2])
    log = [(n, plot, date, *rest) for n, (date, plot, *rest) in enumerate(log, 1)]
    db.executemany('INSERT INTO "Harvest Log" VALUES (?, ?, ?, ?, ?, ?)', log)

    days = [day("2023-03-04", 56 * i + 7 * rng.randint(0, 3)) for i in range(12)]
    weather = ["Dry", "Showers", "Sunny", "Windy"]
    weather = [rng.choices(weather, [5, 3, 3, 1])[0] for _ in days]
    db.executemany('INSERT INTO "Work Days" VALUES (?, ?, ?)', zip(days, JOBS.split(";"), weather))
    for date in days:
        helpers = [row[0] for row in holders if row[4] < date]
        for holder in sorted(rng.sample(helpers, rng.randint(6, 17))):
            hours = rng.choice([1, 1.5, 2, 2, 2.5, 3, 3, 4])
            db.execute('INSERT INTO "Work Day Helpers" VALUES (?, ?, ?)', (date, holder, hours))
