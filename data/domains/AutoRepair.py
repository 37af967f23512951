"""A car repair shop: customers, their cars, the mechanics, the jobs and the parts they took."""

import datetime

FIRST = """Alan Beatriz Curtis Denise Emeka Fiona Greg Hana Isaac Joanne Keith Latoya Manuel Nicole
Oleg Pamela Quinn Ravi Sandra Theo Ursula Vince Whitney Xiomara Yvonne Zach Abigail Gloria"""
LAST = """Abrams Bianchi Castillo Dwyer Engstrom Flores Gentry Hoang Ibrahim Jarvis Kowalski Lambert
Mendoza Nakamura Orozco Patel Quinlan Rourke Shapiro Tran Underhill Vasquez Whitfield Yates Bishop
Caldwell Delgado Ellison Goodwin Hatch Iyer Jorgensen Kaplan Lund"""
CITIES = {"Dayton": 46, "Kettering": 20, "Beavercreek": 14, "Fairborn": 9, "Xenia": 7, "Troy": 4}
CARS = {
    ("Toyota", "Corolla", "Gas"): 14,
    ("Toyota", "Prius", "Hybrid"): 8,
    ("Honda", "Civic", "Gas"): 13,
    ("Honda", "CR-V", "Gas"): 9,
    ("Ford", "F-150", "Gas"): 14,
    ("Ford", "Escape", "Gas"): 8,
    ("Chevrolet", "Bolt", "Electric"): 3,
    ("Ram", "2500", "Diesel"): 5,
    ("Subaru", "Outback", "Gas"): 7,
    ("Tesla", "Model 3", "Electric"): 2,
}
COLORS = {"White": 24, "Black": 20, "Silver": 16, "Gray": 15, "Blue": 10, "Red": 9, "Green": 3}
MECHANICS = [
    (1, "Walt Brannigan", "Engine", 98, "2004-03-15"),
    (2, "Luz Carrera", "Electrical", 105, "2012-08-01"),
    (3, "Dmitri Volkov", "Transmission", 110, "2009-05-18"),
    (4, "Shawna Pruitt", "Brakes", 88, "2017-01-09"),
    (5, "Kevin Ota", "General", 75, "2021-06-14"),
    (6, "Andre Baptiste", "General", 75, "2022-02-28"),
    (7, "Megan Stroud", "Tires", 68, "2023-10-02"),
]
PARTS = [
    (1, "Oil filter", "NorthStar Supply", 8.99, 64),
    (2, "Engine oil 5 qt", "NorthStar Supply", 27.50, 80),
    (3, "Air filter", "NorthStar Supply", 16.99, 31),
    (4, "Front brake pads", "Brake Depot", 54.50, 18),
    (5, "Rear brake pads", "Brake Depot", 48.50, 14),
    (6, "Brake rotor", "Brake Depot", 71.99, 12),
    (8, "Spark plug", "Miami Valley Auto Parts", 11.99, 96),
    (9, "Timing belt", "Miami Valley Auto Parts", 89.50, 0),
    (10, "Water pump", "Miami Valley Auto Parts", 124.99, 3),
    (11, "Coolant 1 gal", "NorthStar Supply", 19.99, 25),
    (12, "Battery 12V", "Volt House", 169.99, 9),
    (13, "Alternator", "Volt House", 289.50, 2),
    (14, "Headlight bulb", "Volt House", 14.50, 40),
    (16, "All-season tire", "TreadRight", 118.50, 44),
    (17, "Winter tire", "TreadRight", 134.50, 0),
    (19, "Transmission fluid", "NorthStar Supply", 13.50, 36),
    (20, "Clutch kit", "Miami Valley Auto Parts", 389.99, 1),
    (21, "Wiper blade", "NorthStar Supply", 17.50, 50),
]
WORK = {
    "Oil change": (30, 0.6, [5, 6, 7], {1: 1, 2: 1, 3: 0.3, 21: 0.15}),
    "Brake job": (16, 2.2, [4, 4, 5], {4: 0.8, 5: 0.5, 6: 0.4}),
    "Tire change": (11, 1.1, [7, 7, 6], {16: 0.7}),
    "Winter tires": (5, 1.2, [7, 6], {17: 1}),
    "Battery replacement": (8, 0.7, [2, 5], {12: 1, 11: 0.1}),
    "Electrical diagnosis": (8, 1.8, [2], {14: 0.4, 13: 0.25}),
    "Engine tune-up": (7, 3.0, [1], {8: 1, 3: 0.6}),
    "Timing belt": (4, 4.8, [1], {9: 1, 10: 0.6, 11: 0.8}),
    "Transmission repair": (4, 6.5, [3], {19: 0.9, 20: 0.6}),
}


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` the source of chance."
    db.executescript("""
CREATE TABLE Customers (CustomerID INTEGER PRIMARY KEY, FirstName TEXT, LastName TEXT, Phone TEXT,
    City TEXT, CustomerSince TEXT);
CREATE TABLE Cars (CarID INTEGER PRIMARY KEY, CustomerID INTEGER REFERENCES Customers(CustomerID),
    LicensePlate TEXT UNIQUE, Make TEXT, Model TEXT, ModelYear INTEGER, Fuel TEXT, Color TEXT);
CREATE TABLE Mechanics (MechanicID INTEGER PRIMARY KEY, MechanicName TEXT, Specialty TEXT,
    HourlyRate REAL, HireDate TEXT);
CREATE TABLE Jobs (JobID INTEGER PRIMARY KEY, CarID INTEGER REFERENCES Cars(CarID),
    MechanicID INTEGER REFERENCES Mechanics(MechanicID), JobType TEXT, DateIn TEXT, DateOut TEXT,
    Mileage INTEGER, LaborHours REAL, LaborCost REAL, PartsCost REAL, TotalCost REAL, Status TEXT);
CREATE TABLE Parts (PartID INTEGER PRIMARY KEY, PartName TEXT, Supplier TEXT, UnitPrice REAL,
    InStock INTEGER);
CREATE TABLE JobParts (JobID INTEGER REFERENCES Jobs(JobID),
    PartID INTEGER REFERENCES Parts(PartID), Quantity INTEGER, PRIMARY KEY (JobID, PartID));
""")
    day = datetime.timedelta(days=1)
    today = datetime.date(2024, 9, 20)
    rates = {m[0]: (m[3], m[4]) for m in MECHANICS}
    prices = {p[0]: p[3] for p in PARTS}
    db.executemany("INSERT INTO Mechanics VALUES (?, ?, ?, ?, ?)", MECHANICS)
    db.executemany("INSERT INTO Parts VALUES (?, ?, ?, ?, ?)", PARTS)
    names = rng.sample([(f, s) for f in FIRST.split() for s in LAST.split()], 95)
    joined = sorted(datetime.date(2012, 1, 10) + rng.randint(0, 4250) * day for _ in names)
    customers, cars, driven = [], [], {}
    for i, ((first, last), since) in enumerate(zip(names, joined), 1):
        phone = f"(937) 555-{rng.randint(100, 9999):04d}" if rng.random() < 0.92 else None
        city = rng.choices(list(CITIES), CITIES.values())[0]
        customers.append((i, first, last, phone, city, since))
        for _ in range(rng.choices([1, 2, 3], [68, 26, 6])[0]):
            car = rng.choices(list(CARS), CARS.values())[0]
            year = int(rng.triangular(2003, 2023, 2016))
            year = max(year, {"Electric": 2018, "Hybrid": 2007}.get(car[2], 2003))
            plate = "".join(rng.choices("ABCDEFGHJKLMNPRSTVWXYZ", k=3))
            plate += f" {rng.randint(1000, 9999)}"
            paint = rng.choices(list(COLORS), COLORS.values())[0] if rng.random() < 0.94 else None
            cars.append((len(cars) + 1, i, plate, *car[:2], year, car[2], paint))
            driven[len(cars)] = (since, year, rng.uniform(6500, 16000))
    db.executemany("INSERT INTO Customers VALUES (?, ?, ?, ?, ?, ?)", customers)
    db.executemany("INSERT INTO Cars VALUES (?, ?, ?, ?, ?, ?, ?, ?)", cars)
    dates = sorted(today - int(rng.triangular(0, 980, 0)) * day for _ in range(210))
    jobs, used = [], []
    for i, came in enumerate(dates, 1):
        while True:
            car = rng.choice(cars)
            since, year, miles = driven[car[0]]
            kind = rng.choices(list(WORK), [w[0] for w in WORK.values()])[0]
            _, usual, hands, needs = WORK[kind]
            who = rng.choice(hands)
            gas = car[6] != "Electric" or "ire" in kind or kind == "Brake job"
            if gas and since <= came and came.year > year and str(came) > rates[who][1]:
                break
        hours, cost = round(usual * rng.uniform(0.8, 1.6), 1), 0
        for part, odds in needs.items():
            if rng.random() < odds:
                many = {6: 2, 8: 4, 14: 2, 16: rng.choice([2, 4, 4]), 17: 4, 19: 4, 21: 2}
                used.append((i, part, many.get(part, 1)))
                cost += prices[part] * used[-1][2]
        late = (today - came).days
        if late > 25:
            status = "Cancelled" if rng.random() < 0.05 else "Done"
        else:
            odds = [late, 8, 9 if cost > 80 else 0]
            status = rng.choices(["Done", "In progress", "Waiting for parts"], odds)[0]
        if status == "Cancelled":
            used, hours, cost = [u for u in used if u[0] != i], 0, 0
        days = rng.choice([0, 0, 0, 1]) if usual < 1.5 else rng.randint(0, 4)
        out = min(came + days * day, today) if status == "Done" else None
        labor = round(hours * rates[who][0], 2)
        odo = int((came - datetime.date(year, 1, 1)).days / 365 * miles)
        bill = (hours, labor, round(cost, 2), round(labor + cost, 2), status)
        jobs.append((i, car[0], who, kind, came, out, odo if rng.random() < 0.93 else None, *bill))
    db.executemany(f"INSERT INTO Jobs VALUES ({', '.join('?' * 12)})", jobs)
    db.executemany("INSERT INTO JobParts VALUES (?, ?, ?)", used)
