"""A wedding planner's workbook that grew: weddings, venues, guest lists, suppliers, bookings."""

from datetime import date, timedelta

FIRST = """Emily Daniel Sophie Rajesh Charlotte Luke Adaeze Marcus Isabel Tomas Megan Hiroshi
Layla Patrick Bethany Carlos Jasmine Edward Nina Kofi Abigail Sanjay Olivia Ross Helena Mustafa
Gemma Alistair Naomi Leon Freya Antonio Heather Kieran Simran Dominic Zara Rory Penelope
Viktor""".split()
LAST = """Ashford Mehta Donnelly Okoro Sinclair Vega Barrett Suzuki Farouk Novotny Kendall Greene
Lombardi Hargreaves Boateng Iyer Macleod Duval Schmitt Castro Thornbury Wilkes Aydin Moran Pereira
Lancaster Bose Fielding Jankowski Rhodes Delgado Crane Nwosu Holloway Kapoor Stirling Bishop
Larsson Emery Quigley""".split()
VENUES = [
    ("Hollybush Manor", "Bath", "country house", 140, 6500),
    ("The Old Tannery", "Bristol", "barn", 110, 3800),
    ("Riverside Orangery", "Henley", "garden", 80, 4200),
    ("St Aldate's Hall", "Oxford", "hotel", 120, 5200),
    ("Larkfield Barn", "Cirencester", "barn", 150, 4500),
    ("Castle Dunmore", "Ludlow", "castle", 180, 8900),
    ("The Glasshouse", "Cheltenham", "garden", 60, 2900),
    ("Pier Pavilion", "Weston", "beach", 100, 3400),
    ("Grand Hotel Severn", "Gloucester", "hotel", 220, 7200),
    ("Thistledown Farm", "Stroud", "barn", 90, 2600),
    ("Penrose Court", "Exeter", "country house", 130, 5900),
    ("Sandy Cove Beach House", "Bude", "beach", 50, 2400),
    ("Wyvern Castle", "Hereford", "castle", 160, 7800),
    ("Walled Garden at Elmley", "Worcester", "garden", 95, 3900),
]
TRADES = {
    "Florist": ("Petal & Stem,Wild Meadow Flowers,Rosehip,Bloom Room,The Flower Barrow", 850),
    "Caterer": (
        "Feast & Fold,Copper Spoon,Saffron Table,Hog & Thyme,Olive Branch,Long Table",
        4200,
    ),
    "Photographer": ("Golden Hour Photos,Lens & Lace,Stillwater Studio,Confetti Frames", 1450),
    "Band": ("The Velvet Notes,Brass Monkeys,Ceilidh Hounds,Moonlight Quartet", 1200),
    "DJ": ("DJ Maxwell,Spin City,Groove Box", 450),
    "Cake": ("Sugar Loft,Three Tiers,Butter & Crumb,Flour Girl Bakery", 480),
    "Transport": ("Vintage Wheels,Severn Classic Cars,Carriage & Pair", 550),
    "Hair & Makeup": ("Blush Bridal,Powder Room,Belle Hair", 380),
}
# how many weddings want each trade
WANTED = [0.85, 0.95, 0.9, 0.4, 0.55, 0.7, 0.45, 0.5]
ROLES = ["Guest", "Bridesmaid", "Best Man", "Usher", "Parent", "Witness"]


def text(day):
    "A date as the sheet has it."
    return day.strftime("%d.%m.%Y")


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` a random number generator."
    db.executescript("""
CREATE TABLE "Venues" ("Venue" TEXT, "Town" TEXT, "Style" TEXT, "Capacity" INTEGER,
  "Hire Fee" REAL, "Contact" TEXT, "Parking" TEXT);
CREATE TABLE "Weddings" ("Wedding No" INTEGER, "Couple" TEXT, "Wedding Date" TEXT, "Venue" TEXT,
  "Head Count" INTEGER, "Budget" REAL, "Theme" TEXT, "Ceremony" TEXT, "Deposit Paid" TEXT,
  "Booked On" TEXT, "Status" TEXT, "Referred By" INTEGER);
CREATE TABLE "Guest List" ("Wedding No" INTEGER, "Guest Name" TEXT, "Role" TEXT, "Side" TEXT,
  "RSVP" TEXT, "Plus One" TEXT, "Diet" TEXT, "Table No" INTEGER);
CREATE TABLE "Suppliers" ("Supplier" TEXT, "Trade" TEXT, "Town" TEXT, "Starting Price" REAL,
  "Our Rating" INTEGER, "Phone" TEXT);
CREATE TABLE "Supplier Bookings" ("Wedding No" INTEGER, "Supplier" TEXT, "Booked On" TEXT,
  "Quote" REAL, "Deposit" REAL, "Deposit Paid" TEXT, "Hours" INTEGER, "Notes" TEXT);
""")
    rows = [
        (*v, f"{rng.choice(FIRST)} {rng.choice(LAST)}", rng.choice(["Yes", "Yes", "Limited", "No"]))
        for v in VENUES
    ]
    db.executemany('INSERT INTO "Venues" VALUES (?, ?, ?, ?, ?, ?, ?)', rows)
    suppliers = []
    for trade, (names, price) in TRADES.items():
        for nm in names.split(","):
            cost = round(price * rng.uniform(0.75, 1.35) / 25) * 25
            phone = (
                None
                if rng.random() < 0.15
                else f"01{rng.randint(200, 989)} {rng.randint(200000, 999999)}"
            )
            star = None if rng.random() < 0.1 else rng.choices([2, 3, 4, 5], [2, 6, 14, 10])[0]
            suppliers.append((nm, trade, rng.choice(VENUES)[1], cost, star, phone))
    db.executemany('INSERT INTO "Suppliers" VALUES (?, ?, ?, ?, ?, ?)', suppliers)
    today = date(2025, 4, 10)
    themes = ["Rustic", "Classic", "Boho", "Vintage", "Black Tie", "Seaside"]
    days = sorted(date(2023, 4, 1) + timedelta(days=7 * rng.randint(0, 126)) for _ in range(64))
    couples = rng.sample([f"{a} & {b}" for a in FIRST[::2] for b in FIRST[1::2]], 64)
    weddings, guests, bookings = [], [], []
    for no, (day, couple) in enumerate(zip(days, couples, strict=True), 101):
        day += timedelta(days=rng.choice([0, 0, 0, 0, -1, 1, 5]))
        venue = rng.choices(VENUES, [9, 7, 6, 5, 9, 3, 4, 3, 4, 6, 4, 2, 2, 3])[0]
        heads = min(venue[3], max(18, int(rng.gauss(0.72, 0.16) * venue[3])))
        budget = round((venue[4] + 4500 + heads * rng.uniform(70, 130)) / 500) * 500
        booked = day - timedelta(days=rng.randint(200, 520))
        status = "Cancelled" if rng.random() < 0.07 else "Done" if day < today else "Planning"
        if status == "Planning" and day - today < timedelta(days=90):
            status = "Confirmed"
        theme = None if rng.random() < 0.14 else rng.choices(themes, [24, 18, 14, 9, 8, 5])[0]
        kind = rng.choices(["Civil", "Church", "Humanist", "Hindu", "Jewish"], [34, 18, 7, 5, 3])[0]
        paid = "No" if status == "Planning" and rng.random() < 0.6 else "Yes"
        by = rng.randint(101, no - 1) if no > 110 and rng.random() < 0.3 else None
        row = (no, couple, text(day), venue[0], heads, budget, theme, kind, paid, text(booked))
        weddings.append((*row, status, by))
        if status == "Cancelled":
            continue
        for trade, p in zip(TRADES, WANTED, strict=True):
            if rng.random() > p * 0.95:
                continue
            s = rng.choice([x for x in suppliers if x[1] == trade])
            when = min(today, booked + timedelta(days=rng.randint(10, 160)))
            quote = s[3] * rng.uniform(1, 1.4) * (heads / 75 if trade == "Caterer" else 1)
            quote = round(quote / 10) * 10
            hours = {"Florist": None, "Cake": None, "Caterer": 8, "Hair & Makeup": 4}.get(trade, 0)
            hours = rng.choice([3, 4, 5, 6]) if hours == 0 else hours
            done = "Yes" if status == "Done" or rng.random() < 0.6 else "No"
            note = rng.choice(
                [None] * 8 + ["arrives by 10", "call week before", "invoice to parents"]
            )
            bookings.append((no, s[0], text(when), quote, quote // 4, done, hours, note))
        if no not in (118, 127, 139, 144, 148, 155, 158, 160, 162):
            continue
        for k in range(min(heads, rng.randint(32, 46))):
            name = f"{rng.choice(FIRST)} {rng.choice(LAST)}"
            role = ROLES[0] if k > 9 else rng.choice(ROLES[1:])
            rsvp = "Yes" if k < 10 else rng.choices(["Yes", "No", "Maybe"], [78, 13, 9])[0]
            rsvp = None if status != "Done" and k > 9 and rng.random() < 0.35 else rsvp
            diets = ["None", "Vegetarian", "Vegan", "Gluten free", "Halal", "Nut allergy"]
            diet = None if rng.random() < 0.1 else rng.choices(diets, [70, 12, 6, 5, 4, 3])[0]
            plus = "Yes" if role == "Guest" and rng.random() < 0.3 else "No"
            table = 1 + k // 8 if rsvp == "Yes" else None
            guests.append((no, name, role, rng.choice(["Bride", "Groom"]), rsvp, plus, diet, table))
    db.executemany(f'INSERT INTO "Weddings" VALUES ({", ".join("?" * 12)})', weddings)
    seen = {g[1]: g for g in reversed(guests)}
    guests = [g for g in guests if seen[g[1]] == g]
    db.executemany('INSERT INTO "Guest List" VALUES (?, ?, ?, ?, ?, ?, ?, ?)', guests)
    db.executemany('INSERT INTO "Supplier Bookings" VALUES (?, ?, ?, ?, ?, ?, ?, ?)', bookings)
