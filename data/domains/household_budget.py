"""A family's accounts imported from a spreadsheet: transactions, budgets, accounts, categories."""

MEMBERS = [  # name, role, born, monthly allowance
    ("Katrin", "Mum", "1981-05-17", None),
    ("Paul", "Dad", "1979-11-02", None),
    ("Lotte", "Daughter", "2008-03-25", 40.0),
    ("Milo", "Son", "2011-09-09", 20.0),
    ("Grandma Ilse", "Grandparent", "1951-01-30", None),
]
ACCOUNTS = [  # account, bank, type, owner, opened, opening balance, overdraft limit
    ("Joint Current", "Northern Mutual", "Current", "Katrin", "2009-04-14", 1840.22, 1000),
    ("Paul Current", "Harbour Bank", "Current", "Paul", "2003-10-01", 612.75, 250),
    ("Rainy Day", "Northern Mutual", "Savings", "Katrin", "2012-01-09", 7400.0, None),
    ("Credit Card", "Harbour Bank", "Credit", "Paul", "2015-06-22", -318.4, 3000),
    ("Lotte Saver", "Little Acorns", "Savings", "Lotte", "2016-03-25", 455.1, None),
    ("Cash Tin", None, "Cash", "Katrin", "2018-01-01", 120.0, None),
]
SPENDING = """Groceries|Essential|420|Harvest Lane Market,Budgetmart,Corner Greens,The Cheese Shop
Eating Out|Fun|80|Pizzeria Bella,Noodle Corner,The Old Anchor,Cafe Linden,Burger Yard
Transport|Essential|80|Hillside Fuel,City Buses,Regional Rail,Park & Go,Bike Doctor
Utilities|Essential|175|Brightspark Energy,Clearwater,Fibrelink Broadband
Housing|Essential|1120|Oakfield Mortgages,Town Council
Clothing|Everyday|60|Thread & Button,Sole Mates,Sports Barn,Charity Shop
Kids|Everyday|60|Riverside School,Swim Academy,Toy Attic,Scouts,Music Lessons
Health|Everyday|20|Green Cross Pharmacy,Dr Abel Dental,Specs & Co
Home & Garden|Everyday|55|Fix-It Hardware,Garden World,Flatpack House
Subscriptions|Fun|25|Streambox,Tunecast
Gifts|Fun|15|Paper Moon Cards,Bookworm,Bloom Florist
Holidays|Fun|60|Sunlit Villas,Coast Ferries,Alpine Hostel,Budget Wings
Pets|Everyday|40|Paws Vet,Pet Pantry
Charity|Giving|10|Lifeboat Fund,Village Foodbank"""
# category: smallest and largest amount
PRICES = """Groceries,14,170;Eating Out,7,74;Transport,3,68;Clothing,8,85;Kids,9,75;Health,4,95
Home & Garden,5,130;Gifts,4,45;Holidays,60,640;Pets,11,82;Charity,5,30"""
PRICES = [line.split(",") for line in PRICES.replace("\n", ";").split(";")]
PRICES = {name: (int(low), int(high)) for name, low, high in PRICES}
FIXED = [  # day, payee, amount, category, account
    (1, "Oakfield Mortgages", -968.5, "Housing", "Joint Current"),
    (3, "Town Council", -152.0, "Housing", "Joint Current"),
    (5, "Brightspark Energy", -138.0, "Utilities", "Joint Current"),
    (9, "Fibrelink Broadband", -34.99, "Utilities", "Joint Current"),
    (12, "Streambox", -12.99, "Subscriptions", "Credit Card"),
    (14, "Tunecast", -9.99, "Subscriptions", "Paul Current"),
    (25, "Meridian Design", 2410.0, "Salary", "Joint Current"),
    (28, "County Hospital", 1985.4, "Salary", "Paul Current"),
    (28, "Child Benefit", 168.0, "Benefits", "Joint Current"),
]
NOTES = {
    "Groceries": ["weekly shop", "for Grandma", "Milo's party", "split with neighbours"],
    "Eating Out": ["birthday", "work lunch", "after cinema", "with Grandma"],
    "Kids": ["school trip", "term fee", "new kit", "paid late"],
    "Clothing": ["sale", "Lotte's shoes", "returned one item", "winter coat"],
}


def build(db, rng):
    db.executescript("""
        CREATE TABLE "Family Members" ("Name" TEXT PRIMARY KEY, "Role" TEXT, "Date of Birth" TEXT,
            "Monthly Allowance" REAL);
        CREATE TABLE "Accounts" ("Account" TEXT PRIMARY KEY, "Bank" TEXT, "Account Type" TEXT,
            "Owner" TEXT REFERENCES "Family Members" ("Name"), "Opened" TEXT,
            "Opening Balance" REAL, "Overdraft Limit" INTEGER);
        CREATE TABLE "Account Users" ("Account" TEXT REFERENCES "Accounts" ("Account"),
            "Name" TEXT REFERENCES "Family Members" ("Name"), "Has Card" TEXT);
        CREATE TABLE "Categories" ("Category" TEXT PRIMARY KEY, "Group" TEXT, "In or Out" TEXT);
        CREATE TABLE "Budgets" ("Month" TEXT, "Category" TEXT REFERENCES "Categories" ("Category"),
            "Budgeted" REAL, "Rollover" TEXT, PRIMARY KEY ("Month", "Category"));
        CREATE TABLE "Transactions" ("ID" INTEGER PRIMARY KEY, "Date" TEXT, "Payee" TEXT,
            "Amount" REAL, "Category" TEXT REFERENCES "Categories" ("Category"),
            "Account" TEXT REFERENCES "Accounts" ("Account"),
            "Spent By" TEXT REFERENCES "Family Members" ("Name"), "Notes" TEXT, "Reconciled" TEXT);
    """)
    db.executemany('INSERT INTO "Family Members" VALUES (?, ?, ?, ?)', MEMBERS)
    db.executemany('INSERT INTO "Accounts" VALUES (?, ?, ?, ?, ?, ?, ?)', ACCOUNTS)
    users = """Joint Current,Katrin,Yes;Joint Current,Paul,Yes;Paul Current,Paul,Yes
Rainy Day,Katrin,No;Rainy Day,Paul,No;Credit Card,Paul,Yes;Credit Card,Katrin,Yes
Lotte Saver,Lotte,Yes;Lotte Saver,Katrin,No"""
    users = [tuple(line.split(",")) for line in users.replace("\n", ";").split(";")]
    users += [("Cash Tin", row[0], "No") for row in MEMBERS]
    db.executemany('INSERT INTO "Account Users" VALUES (?, ?, ?)', users)

    spending = [line.split("|") for line in SPENDING.split("\n")]
    categories = [(name, group, "Out") for name, group, _, _ in spending]
    income = ["Salary", "Benefits", "Interest", "Sold Things"]
    categories += [(name, "Income", "In") for name in income]
    db.executemany('INSERT INTO "Categories" VALUES (?, ?, ?)', categories)

    months = [f"{2023 + n // 12}-{n % 12 + 1:02}" for n in range(6, 18)]
    for month in months:
        for name, group, usual, _ in spending:
            amount = int(usual) + 5 * rng.choice([0, 0, 0, 1, 2, -1]) * (group != "Essential")
            amount += {"Gifts": 50, "Groceries": 80}.get(name, 0) * (month[5:] == "12")
            amount += 600 * (name == "Holidays" and month[5:] in ("07", "08"))
            rollover = "Yes" if name in ("Holidays", "Clothing", "Home & Garden") else "No"
            row = (month, name, amount, rollover)
            db.execute('INSERT INTO "Budgets" VALUES (?, ?, ?, ?)', row)

    rows = []
    for month in months:
        for date, payee, amount, category, account in FIXED:
            who = "Katrin" if payee == "Meridian Design" else None
            who = "Paul" if account != "Joint Current" else who
            rows.append((f"{month}-{date:02}", payee, amount, category, account, who))
        row = (round(rng.uniform(12, 16), 2), "Interest", "Rainy Day", None)
        rows.append((f"{month}-28", "Northern Mutual", *row))
        for _ in range(rng.choice([0, 1, 1, 2])):
            payee = rng.choice(["Online Marketplace", "Car Boot Sale"])
            row = (float(rng.choice([5, 8, 12, 15, 20, 35, 60])), "Sold Things", "Cash Tin")
            rows.append((f"{month}-{rng.randint(1, 28):02}", payee, *row, "Katrin"))
    flexible = [row for row in spending if row[0] in PRICES]
    popular = [30, 14, 14, 7, 9, 5, 7, 4, 5, 5, 2]
    while len(rows) < 396:
        name, _, _, payees = rng.choices(flexible, popular)[0]
        payee = payees.split(",")[int((payees.count(",") + 1) * rng.random() ** 1.4)]
        low, high = PRICES[name]
        amount = -round(low + (high - low) * rng.random() ** 2.2, 2)
        amount = amount if rng.random() < 0.5 else round(amount) + 0.01
        month = rng.choice(months)
        if name == "Holidays" and rng.random() < 0.6:
            month = rng.choice(["2023-07", "2023-08", "2024-05"])
        who = rng.choices(["Katrin", "Paul", "Lotte", "Milo"], [12, 9, 5, 3])[0]
        account = ["Joint Current", "Credit Card", "Paul Current", "Cash Tin"]
        account = rng.choices(account, [10, 6, 5 * (who == "Paul"), 2 + (amount > -15)])[0]
        if who in ("Lotte", "Milo"):
            if name not in ("Eating Out", "Clothing", "Kids", "Gifts"):
                continue
            amount = -round(2 * rng.uniform(4, 17)) / 2
            account = "Lotte Saver" if who == "Lotte" and rng.random() < 0.6 else "Cash Tin"
        rows.append((f"{month}-{rng.randint(1, 28):02}", payee, amount, name, account, who))
    rows.sort(key=lambda row: row[0])
    for number, row in enumerate(rows, 1):
        words = NOTES.get(row[3], ["check receipt", "paid late", "refund expected", "half price"])
        regular = row[3] in ("Housing", "Subscriptions", *income)
        note = rng.choice(words) if rng.random() < 0.45 and not regular else None
        done = rng.choices(["Yes", "No", None], [86, 7, 7])[0]
        marks = ", ".join("?" * 9)
        db.execute(f'INSERT INTO "Transactions" VALUES ({marks})', (number, *row, note, done))
