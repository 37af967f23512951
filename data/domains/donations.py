"""A small charity: donors, the campaigns they give to, volunteers and the events they help at."""

import datetime

FIRST = """Alice Omar Ewa Jonathan Meera Patrick Lucia Samuel Fatima Henrik Grace
Bronwen Diego Tariq Ruth Anjali Malcolm Sofia Kofi Helen Yusuf Catriona Marek Leonie
Desmond Aisha Pauline Arjun Eleni Walter Chiara Nadia Stewart Ngozi Irene Bartek Judith
Rafael Hilary Sanjay Maeve Viktor""".split()
LAST = """Ashworth Khalil Wisniewska Pemberton Nair Kavanagh Romano Asante Siddiqui
Lindqvist Tetteh Barlow Jenkins Morales Goldberg Deshmukh Fraser Almeida Owusu
Carmichael Demir Sinclair Zielinski Hoffmann Bright Chowdhury Fairfax Kapoor Georgiou
Prescott Bianchi Mansour Telford Eze Whitlock Duda Lockwood Cardoso Underhill Mistry
Donnelly Petrov""".split()
CITIES = "Leeds Bradford Halifax York Harrogate Sheffield Wakefield Ilkley".split()
CAMPAIGNS = [  # name, cause, goal, start, days
    ("Winter Shelter 2022", "homelessness", 1000, "2022-11-01", 120),
    ("Warm Coats", "homelessness", 600, "2022-10-10", 80),
    ("Food Bank Restock", "hunger", 800, "2022-04-04", 300),
    ("School Breakfasts", "hunger", 1000, "2023-01-09", 330),
    ("Books for All", "education", 250, "2023-03-02", 100),
    ("Reading Buddies", "education", 300, "2023-09-11", 270),
    ("Riverside Tree Planting", "environment", 500, "2023-02-15", 90),
    ("Hospice Garden", "health", 1200, "2023-05-01", 200),
    ("Minibus Appeal", "health", 2500, "2023-06-19", 360),
    ("Winter Shelter 2023", "homelessness", 1500, "2023-11-01", 120),
    ("Flood Relief", "emergency", 1500, "2024-01-05", 60),
    ("General Fund", "general", None, "2022-01-01", 900),
]
EVENTS = """Soup Kitchen Shift,2022-11-26,1,0;Coat Collection,2022-11-12,2,0
Carol Singing,2022-12-17,1,640;Tree Planting Day,2023-03-04,7,310;Book Sorting,2023-03-18,5,0
Spring Fun Run,2023-04-22,4,2300;Garden Open Day,2023-06-10,8,880;Summer Fete,2023-07-08,9,1850
Minibus Car Wash,2023-08-12,9,265;Charity Quiz,2023-10-06,4,720;Autumn Auction,2023-10-28,12,3100
Winter Sleep Out,2023-11-18,10,4200;Flood Relief Cake Sale,2024-01-20,11,415
Sponsored Swim,2024-03-09,9,1480;Street Collection,2024-05-04,12,530"""
SKILLS = ["driving", "cooking", "first aid", "fundraising", "teaching", "accounts"]


def day(start, days):
    return (datetime.date.fromisoformat(start) + datetime.timedelta(days=days)).isoformat()


def build(db, rng):
    db.executescript("""
        CREATE TABLE donors (id INTEGER PRIMARY KEY, name TEXT, email TEXT, city TEXT,
            donor_type TEXT, joined_on TEXT, gift_aid INTEGER,
            referred_by INTEGER REFERENCES donors (id));
        CREATE TABLE campaigns (id INTEGER PRIMARY KEY, name TEXT, cause TEXT, goal_amount INTEGER,
            start_date TEXT, end_date TEXT);
        CREATE TABLE donations (id INTEGER PRIMARY KEY, donor_id INTEGER REFERENCES donors (id),
            campaign_id INTEGER REFERENCES campaigns (id), donated_on TEXT, amount REAL,
            frequency TEXT, payment_method TEXT);
        CREATE TABLE volunteers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, birth_year INTEGER,
            main_skill TEXT, status TEXT, started_on TEXT);
        CREATE TABLE events (id INTEGER PRIMARY KEY, name TEXT, venue_city TEXT, event_date TEXT,
            campaign_id INTEGER REFERENCES campaigns (id), amount_raised REAL);
        CREATE TABLE event_signups (event_id INTEGER REFERENCES events (id),
            volunteer_id INTEGER REFERENCES volunteers (id), role TEXT, hours REAL, attended TEXT,
            PRIMARY KEY (event_id, volunteer_id));
    """)
    names = rng.sample([f"{first} {last}" for first in FIRST for last in LAST], 200)
    firms = """Calder Mills Ltd;Ridgeway Dental;St Oswald's Church;Moorside Rotary Club;Dales Bakery
Aire Valley Motors;Hilltop Primary PTA;Otley Road Pharmacy;Northgate Solicitors""".replace(
        "\n", ";"
    )
    firms = firms.split(";")
    towns = [12, 8, 5, 5, 3, 3, 2, 1]

    donors = []
    for number, joined in enumerate(sorted(rng.sample(range(1600), 120)), 1):
        firm = firms and rng.random() < 0.09
        name = firms.pop(0) if firm else names[number]
        kind = "company" if firm else "individual"
        kind = "community group" if name.endswith(("Church", "Club", "PTA")) else kind
        site = rng.choice(["example.com", "example.org", "mail.example"])
        email = f"{name.lower().replace(' ', '.').replace(chr(39), '')}@{site}"
        email = email if rng.random() < 0.87 else None
        city = rng.choices(CITIES, towns)[0]
        aid = int(kind == "individual" and rng.random() < 0.7)
        sponsor = None
        if number > 10 and rng.random() < 0.35:
            sponsor = 1 + int((number - 2) * rng.random() ** 2)
        donors.append((number, name, email, city, kind, day("2019-06-03", joined), aid, sponsor))
    db.executemany("INSERT INTO donors VALUES (?, ?, ?, ?, ?, ?, ?, ?)", donors)

    campaigns = []
    for number, (name, cause, goal, start, days) in enumerate(CAMPAIGNS, 1):
        end = day(start, days) if name != "General Fund" else None
        campaigns.append((number, name, cause, goal, start, end))
    db.executemany("INSERT INTO campaigns VALUES (?, ?, ?, ?, ?, ?)", campaigns)

    gifts = []
    while len(gifts) < 330:
        campaign = rng.choices(campaigns, [6, 2, 3, 4, 1, 1, 2, 3, 5, 6, 4, 9])[0]
        donor = donors[int(len(donors) * rng.random() ** 1.5)]
        length = CAMPAIGNS[campaign[0] - 1][4]
        date = day(campaign[4], rng.randint(0, min(length, 850)))
        if date < donor[5] or date > "2024-06-14":
            continue
        amount = rng.choices([5, 10, 15, 20, 25, 50, 100, 250], [4, 9, 3, 8, 7, 6, 4, 1])[0]
        method = rng.choices(["card", "bank transfer", "cash", "cheque", "PayPal"], [9, 5, 3, 1, 4])
        if donor[4] != "individual":
            amount, method = rng.choice([100, 250, 500, 750, 1000]), ["bank transfer"]
        amount += rng.choice([0, 0, 0, 0, 0, 0.5, 2.5])
        row = (donor[0], campaign[0], amount)
        if amount <= 25 and method[0] not in ("cash", "cheque") and rng.random() < 0.35:
            for month in range(rng.randint(2, 6)):
                again = day(date, 30 * month)
                if again <= min(campaign[5] or "2024-06-14", "2024-06-14"):
                    gifts.append((again, *row, "monthly", method[0]))
        else:
            gifts.append((date, *row, "one-off", method[0]))
    gifts.sort()
    gifts = [(n, who, what, date, *rest) for n, (date, who, what, *rest) in enumerate(gifts, 1)]
    db.executemany("INSERT INTO donations VALUES (?, ?, ?, ?, ?, ?, ?)", gifts)

    volunteers = []
    for number in range(1, 65):
        # some volunteers are donors too
        name = names[number + 20] if number % 7 == 0 else names[125 + number]
        city = rng.choices(CITIES, towns)[0]
        born = rng.randint(1946, 1975) if rng.random() < 0.55 else rng.randint(1976, 2006)
        skill = rng.choices(SKILLS, [3, 6, 3, 5, 2, 1])[0] if rng.random() < 0.85 else None
        status = rng.choices(["active", "on break", "left"], [46, 8, 10])[0]
        started = day("2020-02-10", int(1250 * rng.random()))
        volunteers.append((number, name, city, born, skill, status, started))
    db.executemany("INSERT INTO volunteers VALUES (?, ?, ?, ?, ?, ?, ?)", volunteers)

    for number, line in enumerate(EVENTS.replace("\n", ";").split(";"), 1):
        name, date, campaign, usual = line.split(",")
        raised = round(int(usual) * rng.uniform(0.8, 1.2) * 2) / 2 if usual != "0" else None
        row = (number, name, rng.choices(CITIES, towns)[0], date, int(campaign), raised)
        db.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", row)
        helpers = [v[0] for v in volunteers if v[6] < date]
        for helper in sorted(rng.sample(helpers, min(len(helpers), rng.randint(6, 20)))):
            role = ["steward", "catering", "setup", "stall", "driver", "first aider"]
            role = rng.choices(role, [7, 4, 5, 5, 2, 1])[0]
            came = rng.choices(["yes", "no"], [88, 12])[0]
            hours = rng.choice([2, 2.5, 3, 4, 4, 5, 6]) if came == "yes" else 0
            row = (number, helper, role, hours, came)
            db.execute("INSERT INTO event_signups VALUES (?, ?, ?, ?, ?)", row)
