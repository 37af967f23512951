"""A software company's help desk: agents, customers, tickets, comments and tags."""

import datetime

FIRST = """Nora Deepak Allan Simone Viktor Amara Joseph Linnea Rashid Paula Hugo Eun-ji
Caleb Ivana Tobi Marianne Luis Kavya Peter Salma Jakub Naomi Bastian Roisin Anwar Elena
Douglas Mirela Kofi Hanna Stuart Leticia Yosef Petra Damian Aylin Trevor Chandra Odile
Ruben Maja""".split()
LAST = """Bergstrom Kulkarni Forde Lacroix Sokolov Nwosu Adler Holm Karim Mendes Vogel
Seo Whitfield Horvat Balogun Duval Serrano Pillai Grady Bakr Zielony Feldman Richter
Malone Qureshi Vasile Ross Popa Darko Eklund Turnbull Barros Levy Hruska Kaya Ogden
Subramaniam Marchand Aguilar Lindholm Tesfaye""".split()
COMPANIES = """Brightwell Foods,Osprey Logistics,Tandem Cycles,Lakeview Clinic,Fernhill School
Kobold Games,Marlow & Finch,Silverline Travel,Juno Textiles,Copperfield Bank,Delta Print"""
PROBLEMS = {  # category: subjects; where it happens comes after
    "login": "Cannot log in;Password reset mail never arrives;Locked out;Two-factor code refused",
    "billing": "Charged twice;Invoice shows the wrong VAT;Cannot change card;Refund not received",
    "bug": "App crashes;Blank page;Error 500 on save;Wrong totals;Dates off by one day",
    "performance": "Very slow to load;Times out;High CPU use;Search takes a minute",
    "integration": "Webhook not firing;Calendar sync stopped;API returns 403",
    "how-to": "How do I export a report?;How do I add a user?;How to merge two accounts?",
    "feature request": "Please add dark mode;Would like bulk edit;Need a French translation",
}
PLACES = """on the dashboard;in the mobile app;after last update;in Firefox;for one user
since Monday;on iPad;in the admin area;when offline;for the whole team;in the sandbox;on Windows 11
with large files;on the reports page;in the trial account;behind our proxy""".replace("\n", ";")
TAGS = """vip,regression,mobile,security,data loss,duplicate,waiting on vendor,quick win
documentation,browser,refund,escalated""".replace("\n", ",").split(",")
ANSWERS = """Thanks for reporting this, looking into it now.;Could you send a screenshot?
I can reproduce this on my side.;Passed on to the developers.;Please clear your cache and retry.
Fixed in the latest release, please try again.;Which version are you using?;Any news on this?"""
REPLIES = """Still happening today.;That worked, thank you!;Any news on this?;Logs attached.
It is version 4.2.;Adding my colleague in copy.;Screenshot attached.;Same problem on my laptop."""
NOTES = (
    "Known issue, see parent ticket.;Customer called again.;Waiting for engineering.;VIP, be quick."
)


def clock(minutes):
    start = datetime.datetime(2024, 1, 2, 8, 0)
    return (start + datetime.timedelta(minutes=minutes)).strftime("%Y-%m-%d %H:%M")


def build(db, rng):
    db.executescript("""
        CREATE TABLE agents (agent_id INTEGER PRIMARY KEY, name TEXT, team TEXT, level INTEGER,
            hired_on TEXT, hourly_rate REAL, manager_id INTEGER REFERENCES agents (agent_id));
        CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name TEXT, email TEXT,
            company TEXT, plan TEXT, seats INTEGER, signed_up_on TEXT);
        CREATE TABLE tickets (ticket_id INTEGER PRIMARY KEY, subject TEXT, category TEXT,
            customer_id INTEGER REFERENCES customers (customer_id),
            agent_id INTEGER REFERENCES agents (agent_id), priority TEXT, status TEXT,
            channel TEXT, created_at TEXT, resolved_at TEXT, satisfaction INTEGER,
            parent_id INTEGER REFERENCES tickets (ticket_id));
        CREATE TABLE comments (comment_id INTEGER PRIMARY KEY,
            ticket_id INTEGER REFERENCES tickets (ticket_id),
            agent_id INTEGER REFERENCES agents (agent_id), body TEXT, posted_at TEXT,
            is_internal INTEGER);
        CREATE TABLE tags (tag_id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE ticket_tags (ticket_id INTEGER REFERENCES tickets (ticket_id),
            tag_id INTEGER REFERENCES tags (tag_id), PRIMARY KEY (ticket_id, tag_id));
    """)
    names = rng.sample([f"{first} {last}" for first in FIRST for last in LAST], 120)

    agents = []
    hired = sorted(rng.sample(range(2200), 22))
    for number in range(1, 23):
        # the first leads everybody, the next four lead a team each
        boss = None if number == 1 else 1 if number < 6 else rng.choice([2, 2, 2, 3, 3, 4, 5])
        team = ["Support", "Frontline", "Technical", "Billing", "Onboarding"]
        team = team[number - 1] if number < 6 else team[boss - 1]
        level = 4 if number == 1 else 3 if number < 6 else rng.choice([1, 1, 2])
        rate = [0, 17.5, 22, 29.5, 41][level] + rng.choice([0, 0, 0.5, 1, 1.5])
        date = datetime.date(2017, 10, 2) + datetime.timedelta(days=hired[number - 1])
        agents.append((number, names[number], team, level, date.isoformat(), rate, boss))
    db.executemany("INSERT INTO agents VALUES (?, ?, ?, ?, ?, ?, ?)", agents)

    customers = []
    companies = COMPANIES.replace("\n", ",").split(",")
    for number in range(1, 81):
        name = names[30 + number]
        company, plan = None, rng.choices(["free", "basic"], [55, 45])[0]
        if rng.random() < 0.82:
            index = int(len(companies) * rng.random() ** 1.5)
            company, plan = companies[index], ["basic", "pro", "pro", "enterprise"][index % 4]
        domain = company.lower().replace(" ", "").replace("&", "-") if company else "mail"
        email = f"{name.lower().replace(' ', '.')}@{domain}.example"
        seats = {"free": 1, "basic": 3, "pro": 15, "enterprise": 120}[plan]
        seats = 1 if not company else seats + 5 * (index % 3)
        date = datetime.date(2020, 3, 2) + datetime.timedelta(days=rng.randint(0, 1400))
        customers.append((number, name, email, company, plan, seats, date.isoformat()))
    db.executemany("INSERT INTO customers VALUES (?, ?, ?, ?, ?, ?, ?)", customers)

    tickets, comment = [], 0
    teams = {"billing": "Billing", "how-to": "Onboarding", "login": "Frontline"}
    for number in range(1, 171):
        opened = int(number * 1440 * 0.94) // 1440 * 1440 + rng.randint(0, 620)
        category = rng.choices(list(PROBLEMS), [30, 24, 38, 18, 14, 28, 12])[0]
        subject = rng.choice(PROBLEMS[category].split(";"))
        if category in ("bug", "performance", "integration"):
            subject = f"{subject} {rng.choice(PLACES.split(';'))}"
        customer = customers[int(80 * rng.random() ** 1.6)]
        priority = rng.choices(["low", "normal", "high", "urgent"], [25, 48, 20, 7])[0]
        hours = {"low": 60, "normal": 26, "high": 9, "urgent": 3}[priority]
        done = opened + int(60 * hours * rng.uniform(0.2, 3))
        status = rng.choices(["closed", "resolved"], [70, 30])[0]
        if rng.random() < (0.04 if number < 135 else 0.55):
            status = rng.choices(["open", "pending", "on hold"], [5, 3, 2])[0]
        over = status in ("closed", "resolved")
        team = teams.get(category, "Technical")
        agent = rng.choice([a[0] for a in agents if a[2] in (team, "Frontline") and a[3] < 4])
        agent = None if status == "open" and rng.random() < 0.7 else agent
        channel = rng.choices(["email", "chat", "phone", "web form"], [45, 28, 9, 18])[0]
        stars = rng.choices([1, 2, 3, 4, 5], [5, 6, 14, 35, 40])[0]
        stars = stars if over and rng.random() < 0.9 else None
        parent = None
        if number > 12 and rng.random() < 0.16:
            same = [t[0] for t in tickets[-50:] if t[2] == category and t[11] is None]
            parent = rng.choice(same) if same else None
        row = (number, subject, category, customer[0], agent, priority, status, channel)
        tickets.append((*row, clock(opened), clock(done) if over else None, stars, parent))
        marks = ", ".join("?" * 12)
        db.execute(f"INSERT INTO tickets VALUES ({marks})", tickets[-1])
        end = done if over else opened + 2000
        for minute in sorted(rng.sample(range(opened + 4, end), rng.choice([1, 1, 2, 2, 3, 4]))):
            comment += 1
            writer = agent if rng.random() < 0.65 else None
            private = writer is not None and rng.random() < 0.2
            bodies = NOTES if private else ANSWERS if writer else REPLIES
            body = rng.choice(bodies.replace("\n", ";").split(";"))
            row = (comment, number, writer, body, clock(minute), int(private))
            db.execute("INSERT INTO comments VALUES (?, ?, ?, ?, ?, ?)", row)

    db.executemany("INSERT INTO tags VALUES (?, ?)", list(enumerate(TAGS, 1)))
    for ticket in tickets:
        weights = [3, 3, 6, 2, 1, 3, 2, 5, 4, 5, 6 if ticket[2] == "billing" else 0, 3]
        tags = rng.choices(range(1, 13), weights, k=rng.choice([0, 1, 1, 2, 3]))
        for tag in sorted(dict.fromkeys(tags)):
            db.execute("INSERT INTO ticket_tags VALUES (?, ?)", (ticket[0], tag))
