"""A small family farm: its animals with mothers and fathers, weighings, the vet and the milk."""

import datetime
import math

BREEDS = [
    (1, "Holstein", "cow", "milk", 40, 650),
    (2, "Jersey", "cow", "milk", 26, 430),
    (3, "Highland", "cow", "meat", 30, 500),
    (4, "Saanen", "goat", "milk", 3.5, 64),
    (5, "Anglo-Nubian", "goat", "milk", 3.8, 70),
    (6, "Boer", "goat", "meat", 4, 85),
    (7, "Suffolk", "sheep", "meat", 5, 90),
    (8, "Merino", "sheep", "wool", 4, 60),
    (9, "Tamworth", "pig", "meat", 1.5, 250),
    (10, "Kunekune", "pig", "pet", 0.7, 90),
]
PENS = [
    (1, "Top Barn", "barn", 320, 30),
    (2, "Long Barn", "barn", 280, 28),
    (3, "Goat Shed", "shed", 110, 35),
    (4, "Lambing Shed", "shed", 140, 50),
    (5, "River Paddock", "paddock", 9500, 40),
    (6, "Orchard", "paddock", 4200, 30),
    (7, "Pig Yard", "yard", 260, 16),
    (8, "Sick Bay", "shed", 30, 4),
    (9, "Bull Pen", "yard", 180, 6),
]
HOMES = {"cow": [1, 1, 2, 5], "goat": [3, 3, 6], "sheep": [4, 5, 5, 6], "pig": [7]}
NAMES = {
    "F": """Daisy Buttercup Clover Rosie Bluebell Hazel Molly Willow Pippa Tansy Nettle Maud Bramble
Dolly Heidi Primrose Marigold Juno Poppy Freya Olive Ginger Sorrel Mabel Fern Peaches Inez Carmen
Tilly Pearl Ruby Saffron Myrtle Lotte Aoife Nutmeg Bonnie Truffle Astrid Luna Petunia Betsy Ivy
Henrietta Gertie Misty Paloma Snowdrop Cocoa Winnie Zelda Agatha Bella Honey Domino Fleur Jemima""",
    "M": """Bruno Hector Samson Rufus Ferdinand Angus Monty Basil Otto Diesel Pascal Thor Barney
Gus Winston Caesar Rocky Boris Hamish Chester Oscar Ludo Jasper Bertie Duke Murphy Nero Padraig
Stanley Wilbur Ziggy Archie Bandit Casper Dexter""",
}
VETS = ["Dr. Sutherland", "Dr. Kaur", "Dr. Oyelaran", "Dr. Price"]
REASONS = {
    "vaccination": (36, ["vaccine"], 9.5),
    "lameness": (20, ["hoof trim", "painkiller", "antibiotic"], 24),
    "pregnancy check": (18, ["scan"], 15),
    "mastitis": (9, ["antibiotic", "udder wash"], 32.5),
    "injury": (6, ["stitches", "painkiller"], 48),
    "difficult birth": (4, ["assisted birth", "antibiotic"], 85),
}


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` the source of chance."
    db.executescript("""
CREATE TABLE breed (id INTEGER PRIMARY KEY, name TEXT, species TEXT, purpose TEXT,
    birth_weight_kg REAL, adult_weight_kg REAL);
CREATE TABLE pen (id INTEGER PRIMARY KEY, name TEXT, kind TEXT, area_m2 INTEGER, capacity INTEGER);
CREATE TABLE animal (id INTEGER PRIMARY KEY, ear_tag TEXT UNIQUE, name TEXT,
    breed_id INTEGER REFERENCES breed(id), sex TEXT, birth_date TEXT,
    mother_id INTEGER REFERENCES animal(id), father_id INTEGER REFERENCES animal(id),
    pen_id INTEGER REFERENCES pen(id), status TEXT, purchase_price REAL);
CREATE TABLE weighing (id INTEGER PRIMARY KEY, animal_id INTEGER REFERENCES animal(id),
    weighed_on TEXT, weight_kg REAL);
CREATE TABLE vet_visit (id INTEGER PRIMARY KEY, visit_date TEXT, vet TEXT, reason TEXT,
    call_out_fee REAL);
CREATE TABLE vet_visit_animal (vet_visit_id INTEGER REFERENCES vet_visit(id),
    animal_id INTEGER REFERENCES animal(id), treatment TEXT, cost REAL,
    PRIMARY KEY (vet_visit_id, animal_id));
CREATE TABLE milk_record (id INTEGER PRIMARY KEY, animal_id INTEGER REFERENCES animal(id),
    milked_on TEXT, session TEXT, litres REAL, fat_percent REAL);
""")
    day = datetime.timedelta(days=1)
    today = datetime.date(2024, 10, 31)
    breeds = {b[0]: b for b in BREEDS}
    db.executemany("INSERT INTO breed VALUES (?, ?, ?, ?, ?, ?)", BREEDS)
    db.executemany("INSERT INTO pen VALUES (?, ?, ?, ?, ?)", PENS)
    names = {s: rng.sample(n.split(), len(n.split())) for s, n in NAMES.items()}
    born = [(datetime.date(2014, 1, 5) + rng.randint(0, 1100) * day, None) for _ in range(26)]
    born += [(datetime.date(2017, 3, 1) + rng.randint(0, 2740) * day, 1) for _ in range(74)]
    animals = []
    for i, (birth, bred) in enumerate(sorted(born, key=lambda b: b[0]), 1):
        mother = father = None
        breed = (1, 7, 4, 9, 2, 8, 5, 1, 7, 3, 6, 10)[(i - 1) // 2 % 12]
        sex = "F" if not bred and i % 2 else "M" if not bred else rng.choices("FM", [65, 35])[0]
        if bred:
            old = [a for a in animals if (birth - a[5]).days > 600]
            fresh = [a[6] for a in animals if (birth - a[5]).days < 300]
            dams = [a for a in old if a[4] == "F" and (birth - a[5]).days < 3200]
            dam = rng.choice([d for d in dams if d[0] not in fresh])
            mother, breed = dam[0], dam[3]
            sires = [a[0] for a in old if a[3] == breed and a[4] == "M"]
            father = rng.choice(sires[:2]) if sires and rng.random() < 0.9 else None
        species = breeds[breed][2]
        name = names[sex].pop() if names[sex] and rng.random() < 0.92 else None
        age = (today - birth).days
        odds = [80, 14, 6] if age < 2200 else [60, 12, 28]
        status = rng.choices(["alive", "sold", "dead"], odds)[0]
        pen = rng.choice(HOMES[species]) if status == "alive" else None
        pen = 8 if pen and rng.random() < 0.04 else 9 if pen == 2 and sex == "M" else pen
        price = None if bred else rng.choice([0.9, 1, 1.15]) * breeds[breed][5] * 2.5 // 5 * 5
        tag = f"UK{27 + (0 if bred else i % 3)}-{1000 + i * 7}"
        animals.append((i, tag, name, breed, sex, birth, mother, father, pen, status, price))
    db.executemany(f"INSERT INTO animal VALUES ({', '.join('?' * 11)})", animals)
    herd = [a for a in animals if a[9] == "alive"]
    size = {a[0]: rng.uniform(0.92, 1.08) * (1.15 if a[4] == "M" else 1) for a in animals}
    weights = []
    for month in range(0, 22, 3):
        when = datetime.date(2023 + month // 12, month % 12 + 1, 12) + rng.randint(0, 6) * day
        for a in rng.sample(herd, 36):
            age, (small, big) = (when - a[5]).days, breeds[a[3]][4:]
            if age > 0:
                grown = small + (big - small) * size[a[0]] * (1 - math.exp(-age / 290))
                weights.append((a[0], when, round(grown * rng.uniform(0.97, 1.03), 1)))
    db.executemany("INSERT INTO weighing VALUES (NULL, ?, ?, ?)", weights)
    visits, treated = [], []
    dates = sorted(datetime.date(2022, 1, 10) + rng.randint(0, 1010) * day for _ in range(64))
    for i, when in enumerate(dates, 1):
        reason = rng.choices(list(REASONS), [r[0] for r in REASONS.values()])[0]
        fee = rng.choices([45, 60, 95], [6, 3, 1])[0]
        visits.append((i, when, rng.choices(VETS, [8, 5, 3, 2])[0], reason, fee))
        there = [a for a in herd if (when - a[5]).days > 45]
        if reason in ("pregnancy check", "difficult birth", "mastitis"):
            there = [a for a in there if a[4] == "F" and (when - a[5]).days > 500]
        many = rng.randint(2, 7) if reason in ("vaccination", "pregnancy check") else 1
        cures, cost = REASONS[reason][1:]
        for a in rng.sample(there, many):
            cure = rng.choice(cures) if rng.random() < 0.93 else None
            treated.append((i, a[0], cure, round(cost * rng.choice([1, 1, 1, 1.5, 2]), 2)))
    db.executemany("INSERT INTO vet_visit VALUES (?, ?, ?, ?, ?)", visits)
    db.executemany("INSERT INTO vet_visit_animal VALUES (?, ?, ?, ?)", treated)
    milkers = [a for a in herd if a[4] == "F" and breeds[a[3]][3] == "milk" and a[5].year < 2022]
    fat = {1: 3.8, 2: 5.2, 4: 3.5, 5: 4.7}
    milk = []
    for week in range(12):
        when = datetime.date(2024, 8, 5) + 7 * week * day
        for a in rng.sample(milkers, len(milkers) - 1):
            for session, most in (("morning", 1.1), ("evening", 0.9)):
                litres = {1: 12.5, 2: 8.5, 4: 1.7, 5: 1.4}[a[3]] * most * size[a[0]] ** 2
                litres = round(litres * rng.uniform(0.85, 1.12) * (1 - week / 60), 1)
                rich = round(fat[a[3]] + rng.gauss(0, 0.25), 2) if rng.random() < 0.9 else None
                milk.append((a[0], when, session, litres, rich))
    db.executemany("INSERT INTO milk_record VALUES (NULL, ?, ?, ?, ?, ?)", milk[:380])
