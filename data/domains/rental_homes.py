"""A letting agency's books: properties, landlords, tenants, leases, rent payments and repairs."""

from datetime import date, timedelta

FIRST = """Alice Brendan Carla Devon Erin Femi Gloria Hassan Isla Jerome Kavita Logan Miriam
Nikolai Orla Percy Queenie Rafael Shauna Tariq Ulla Vincent Wendy Xiu Yolanda Zane Adele Bashir
Cora Dominic Eloise Fraser Gita Harvey Ines Joseph Kirsten Lamar Moira Naveed""".split()
LAST = """Armstrong Banerjee Cameron Dempsey Edwards Fashola Gordon Hamdan Irvine Jankowska Kerr
Laurent Macleod Nwosu Orsini Paterson Quinn Rahman Sinclair Tierney Usman Venter Wallace Xiang
Young Zielinski Aitken Burgess Castro Drummond Esposito Finlay Greig Hussein Jarvis Kidd Lennox
Munro Nair Ogilvie""".split()
STREETS = """Albert Road|Battlefield Road|Cathcart Drive|Dumbarton Street|Elder Street|Hope Lane
Garnethill Street|Kelvin Court|Langside Avenue|Minard Road|Nithsdale Street|Oban Drive|Queen's Gate
Renfrew Terrace|Skirving Street|Terregles Avenue|Victoria Crescent"""
AREAS = "Southside|30|1.0;West End|24|1.25;Dennistoun|18|0.9;City Centre|14|1.2;Govan|9|0.8"
JOBS = """student|9500|22|20|26;nurse|33000|15|24|58;software developer|52000|14|24|52
teacher|38000|12|25|60;barista|21500|10|21|40;engineer|47000|9|25|58;chef|27000|8|24|55
researcher|36000|8|26|50;bus driver|31000|6|30|62;retired|19000|5|63|80"""
REPAIRS = """plumbing|Leaking tap|85|20;plumbing|Blocked drain|120|11;heating|Radiator cold|75|10
plumbing|Toilet not flushing|95|9;heating|Boiler breakdown|310|16;heating|Yearly gas check|68|12
electrical|Faulty socket|70|9;electrical|Lights tripping|110|7;damp|Damp wall in bedroom|420|5
electrical|Smoke alarm replaced|45|8;windows|Cracked window pane|160|5;roof|Leaking gutter|140|6
windows|Draughty sash window|190|6;roof|Missing roof tiles|480|4;pests|Mice in kitchen|130|4
appliances|Washing machine broken|245|9;appliances|Oven not heating|175|7;damp|Mould|210|9
appliances|Fridge too warm|150|5;locks|Lost keys, lock changed|98|7"""
CONTRACTORS = """Clyde Plumbing|plumbing, heating|38.50;Warmflow Heating|heating|45.00
Brightspark Electrics|electrical|42.00;Tenement Roofing|roof, damp|48.00;Safe Locks|locks|40.00
Glazed & Confused|windows|36.00;White Goods Doctor|appliances|34.50
Handy Andrew|pests, windows, damp|29.00"""
CITIES = "Glasgow Glasgow Glasgow Glasgow Edinburgh Edinburgh London Paisley Dubai".split()
KINDS = ["flat", "studio", "terraced house", "semi-detached", "maisonette"]
FURNISHED = ["furnished", "part furnished", "unfurnished"]
BEDS = {"flat": (1, 2, 2, 2, 3, 4), "studio": (0,)}


def split(text):
    "The records of a text, fields between bars."
    return [record.split("|") for record in text.replace("\n", ";").split(";")]


def people(rng, count):
    "Different first and last names."
    return rng.sample([(first, last) for first in FIRST for last in LAST], count)


def build(db, rng):
    "Create and fill the agency's tables."
    db.executescript("""
    CREATE TABLE landlords (id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, email TEXT,
        city TEXT, commission_pct REAL, client_since TEXT);
    CREATE TABLE properties (id INTEGER PRIMARY KEY, landlord_id INTEGER REFERENCES landlords,
        address TEXT, area TEXT, property_type TEXT, bedrooms INTEGER, floor_area_m2 INTEGER,
        year_built INTEGER, energy_rating TEXT, furnished TEXT, pets_allowed TEXT,
        asking_rent REAL);
    CREATE TABLE tenants (id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT,
        birth_date TEXT, occupation TEXT, phone TEXT, yearly_income INTEGER);
    CREATE TABLE leases (id INTEGER PRIMARY KEY, property_id INTEGER REFERENCES properties,
        start_date TEXT, end_date TEXT, monthly_rent REAL, deposit REAL, status TEXT);
    CREATE TABLE lease_tenants (lease_id INTEGER REFERENCES leases,
        tenant_id INTEGER REFERENCES tenants, role TEXT, PRIMARY KEY (lease_id, tenant_id));
    CREATE TABLE contractors (id INTEGER PRIMARY KEY, name TEXT, trades TEXT, hourly_rate REAL);
    CREATE TABLE repairs (id INTEGER PRIMARY KEY, property_id INTEGER REFERENCES properties,
        contractor_id INTEGER REFERENCES contractors, category TEXT, description TEXT,
        priority TEXT, reported_on TEXT, completed_on TEXT, cost REAL, status TEXT);
    """)
    today = date(2024, 6, 14)
    for i, (first, last) in enumerate(people(rng, 30), 1):
        mail = f"{first}.{last}@{rng.choice(('mailbox', 'postbox', 'inbox'))}.example".lower()
        since = date(2010, 2, 1) + timedelta(rng.randrange(3200))
        row = (i, first, last, None if rng.random() < 0.12 else mail, rng.choice(CITIES))
        row += (rng.choice((8.0, 10.0, 10.0, 10.0, 12.5)), str(since))
        db.execute("INSERT INTO landlords VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    homes, areas, streets = [], split(AREAS), STREETS.replace("\n", "|").split("|")
    while len(homes) < 84:
        address = f"{rng.randint(2, 148)} {rng.choice(streets)}"
        if address in [h[2] for h in homes]:
            continue
        area, _, rate = rng.choices(areas, [int(a[1]) for a in areas])[0]
        kind = rng.choices(KINDS, [58, 14, 15, 10, 3])[0]
        beds = rng.choice(BEDS.get(kind, (2, 3, 3, 4)))
        size = 27 + beds * 21 + rng.randint(-4, 14) + (0 if kind in BEDS else 12)
        built = rng.randint(*rng.choice(((1880, 1914), (1925, 1979), (1985, 2021))))
        scores = [6, 30, 40, 20, 4] if built > 1984 else [0, 4, 28, 42, 26]
        energy = None if rng.random() < 0.07 else rng.choices("ABCDE", scores)[0]
        rent = round((310 + size * 9.2) * float(rate) * rng.uniform(0.93, 1.08) / 5) * 5.0
        furnished = rng.choices(FURNISHED, [50, 18, 32])[0]
        pets = "yes" if rng.random() < 0.28 else "no"
        head = (len(homes) + 1, int(rng.random() ** 1.7 * 30) + 1, address, area, kind)
        homes.append((*head, beds, size, built, energy, furnished, pets, rent))
    db.executemany(f"INSERT INTO properties VALUES ({'?, ' * 11}?)", homes)
    tenants, jobs = [], split(JOBS)
    for i, (first, last) in enumerate(people(rng, 200), 1):
        job, pay, _, youngest, oldest = rng.choices(jobs, [int(j[2]) for j in jobs])[0]
        born = today - timedelta(int(rng.uniform(int(youngest), int(oldest)) * 365.25) + 100)
        income = round(int(pay) * rng.uniform(0.8, 1.35) / 100) * 100
        phone = None if rng.random() < 0.08 else f"07911 {rng.randint(100, 999)}{i + 100}"
        row = (i, first, last, str(born), job, phone)
        tenants.append((*row, None if rng.random() < 0.1 else income))
    db.executemany("INSERT INTO tenants VALUES (?, ?, ?, ?, ?, ?, ?)", tenants)

    leases, booked = [], {}
    for home in homes:
        start = date(2020, 6, 1) + timedelta(rng.randrange(1300))
        while start < today:
            end = start + timedelta(int(rng.choice((6, 12, 12, 12, 18, 24, 24)) * 30.44))
            rent = round(home[11] * (1 - 0.03 * (2024 - start.year)) / 5) * 5.0
            status = "active" if end > today else "ended"
            if status == "ended" and rng.random() < 0.1:
                end, status = end - timedelta(rng.randint(30, 120)), "terminated early"
            leases.append((start, end, home, rent, rent * rng.choice((1, 1, 1.5, 2)), status))
            start = end + timedelta(rng.choice((1, 3, 14, 30, 45, 300)))
    leases.sort(key=lambda s: (s[0], s[2][0]))
    for i, (start, end, home, *rest) in enumerate(leases, 1):
        row = (i, home[0], str(start), str(end), *rest)
        db.execute("INSERT INTO leases VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        wanted = rng.choice((1, 1, 2)) if home[5] < 3 else rng.choice((1, 2, 2, 3))
        adults = [t for t in tenants if t[3] < str(start - timedelta(6600))]
        free = [t[0] for t in adults if booked.get(t[0], start) <= start]
        for k, tenant in enumerate(rng.sample(free, wanted)):
            booked[tenant] = end
            role = rng.choice(("joint tenant", "joint tenant", "guarantor")) if k else "lead tenant"
            db.execute("INSERT INTO lease_tenants VALUES (?, ?, ?)", (i, tenant, role))
    firms, jobs = split(CONTRACTORS), split(REPAIRS)
    rows = [(i, name, trades, float(rate)) for i, (name, trades, rate) in enumerate(firms, 1)]
    db.executemany("INSERT INTO contractors VALUES (?, ?, ?, ?)", rows)
    reports = sorted(date(2021, 1, 4) + timedelta(rng.randrange(1256)) for _ in range(240))
    for i, day in enumerate(reports, 1):
        category, what, price, _ = rng.choices(jobs, [int(j[3]) for j in jobs])[0]
        able = [n for n, f in enumerate(firms, 1) if category in f[1]]
        waits = [("low", 28), ("normal", 10), ("urgent", 2)]
        urgency, wait = rng.choices(waits, [20, 55, 25])[0]
        done = day + timedelta(1 + int(rng.expovariate(1 / wait)))
        late = done > today or (str(day) > "2024-02" and rng.random() < 0.45)
        cost = round(int(price) * rng.uniform(0.7, 1.5), 2)
        waiting = (None, None, rng.choice(("open", "scheduled", "scheduled")))
        end = waiting if late else (str(done), cost, "completed")
        place, firm = int(rng.random() ** 1.5 * 84) + 1, rng.choice(able)
        row = (i, place, firm, category, what, urgency, str(day), *end)
        db.execute("INSERT INTO repairs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
