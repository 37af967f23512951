"""A vet's practice: owners, their animals, staff, visits, a price list and what was given."""

from datetime import date, timedelta

OWNERS = """Harriet Oldroyd,Mill Lane 4,Thornwick;Dev Bhandari,Castle Rise 17,Thornwick;
Moira Tulloch,The Old Forge,Little Marl;Jonas Wickham,Station Road 88,Thornwick;
Agnieszka Pawlak,Elm Court 2b,Harrowby;Colin Featherstone,Quarry Cottage,Little Marl;
Beatrix Lomax,Canal Street 31,Harrowby;Sunil Mehrotra,Castle Rise 5,Thornwick;
Fergus Dunmore,Dunmore Farm,Saltby;Ottilie Krantz,Beacon Hill 9,Harrowby;
Gwen Protheroe,Chapel Row 3,Saltby;Tobias Enright,Mill Lane 22,Thornwick;
Rukhsana Alvi,Market Place 14,Harrowby;Leonard Skeffing,Glebe House,Little Marl;
Nora Tidewell,Harbour View 6,Saltby;Emeka Obiora,Elm Court 11,Harrowby;
Cecily Blackmoor,Blackmoor Stables,Upper Dene;Ignatius Ruane,Canal Street 70,Harrowby;
Pia Sandstrom,Beacon Hill 40,Harrowby;Walter Greaves,Station Road 12,Thornwick;
Lorna Mackie,Shore Cottage,Saltby;Yusuf Demirel,Market Place 2,Harrowby;
Daphne Quill,Rectory Close 1,Upper Dene;Bram Hoekstra,Mill Lane 9,Thornwick;
Joyce Amadi,Castle Rise 33,Thornwick;Percy Longbottom-Hale,Dene Hall,Upper Dene;
Simone Vautrin,Chapel Row 15,Saltby;Alasdair Crewe,Quarry Farm,Little Marl;
Meera Jothi,Elm Court 7a,Harrowby;Kit Ransome,Harbour View 19,Saltby;
Edwina Sparrow,Station Road 51,Thornwick;Rafael Montoro,Beacon Hill 22,Harrowby;
Heather Inchbald,Orchard End,Upper Dene;Gordon Tasker,Canal Street 8,Harrowby"""
PETS = {
    "dog": "Biscuit,Rufus,Maple,Bramble,Otto,Juno,Scout,Pickle,Duchess,Bruno,Tilly,Captain,"
    "Moss,Hazel,Ziggy,Nell,Barney,Fennel,Rocket,Mabel",
    "cat": "Smudge,Cleo,Mr Tibbs,Saffron,Pudding,Shadow,Minerva,Ginger,Socks,Luna,Figaro,Olive,"
    "Monty,Treacle,Widget",
    "rabbit": "Thumper,Clover,Parsnip,Dandelion,Nibbles,Hector",
    "guinea pig": "Peanut,Truffle,Squeak",
    "horse": "Copper,Lady Grey,Thunder,Merlin,Bluebell",
    "parrot": "Captain Flint,Kiwi,Rio",
    "tortoise": "Sheldon,Methuselah",
    "ferret": "Bandit,Slinky",
}
BREEDS = {
    "dog": "Labrador,Border Collie,Cocker Spaniel,Jack Russell,Greyhound,Dachshund,Whippet",
    "cat": "Domestic Shorthair,Siamese,Maine Coon,British Shorthair,Ragdoll",
    "rabbit": "Netherland Dwarf,Mini Lop",
    "guinea pig": "Abyssinian,Peruvian",
    "horse": "Welsh Cob,Connemara,Thoroughbred",
    "parrot": "African Grey,Cockatiel",
    "tortoise": "Hermann's",
    "ferret": "Polecat",
}
KILOS = {"dog": 19, "cat": 4.6, "rabbit": 2.1, "guinea pig": 1, "horse": 490, "parrot": 0.4}
STAFF = """Dr Imogen Hartley,vet,2009-03-02,40,;Dr Pavel Ruzicka,vet,2014-09-15,40,1;
Dr Anjali Sethi,vet,2018-01-08,32,1;Dr Rory Campion,vet,2021-06-21,40,2;
Dr Lieke Maas,vet,2023-10-02,24,2;Sheila Bunting,head nurse,2011-05-09,37,1;
Tom Fairweather,nurse,2017-02-20,37,6;Blessing Okoro,nurse,2019-11-04,30,6;
Chloe Winterton,nurse,2022-08-29,37,6;Denise Applegarth,receptionist,2010-01-18,35,1;
Marcin Zielak,receptionist,2020-07-13,20,10;Kezia Thorne,kennel assistant,2024-04-08,16,7"""
PRICES = """Booster vaccination,prevention,42,0;Kennel cough vaccine,prevention,31.5,0;
Flea drops,prevention,9.8,0;Worming tablet,prevention,7.25,0;Microchip,prevention,24,0;
Nail clipping,care,12.5,0;Ear cleaning,care,18,0;Wound dressing,care,22.75,0;
Dental scaling,surgery,185,1;Tooth extraction,surgery,96,1;Spay,surgery,260,1;
Castration,surgery,190,1;
Lump removal,surgery,315,1;X-ray,diagnostics,128,0;Ultrasound,diagnostics,145,0;
Blood test,diagnostics,64,1;Urine test,diagnostics,28,0;Antibiotic course,medicine,19.4,0;
Painkiller injection,medicine,16.6,0;Eye ointment,medicine,13.9,0"""
WHY = (
    "check-up,check-up,vaccination,vaccination,limping,skin trouble,not eating,"
    "wound,teeth,follow-up"
)


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` a random number generator."
    db.executescript("""
CREATE TABLE owners (id INTEGER PRIMARY KEY, full_name TEXT UNIQUE, street TEXT, town TEXT,
  phone TEXT, email TEXT, registered_on TEXT, referred_by INTEGER REFERENCES owners(id));
CREATE TABLE animals (id INTEGER PRIMARY KEY, name TEXT UNIQUE, species TEXT, breed TEXT, sex TEXT,
  born_on TEXT, neutered TEXT, chip_number TEXT, died_on TEXT,
  owner_id INTEGER REFERENCES owners(id));
CREATE TABLE staff_members (id INTEGER PRIMARY KEY, name TEXT UNIQUE, job TEXT, hired_on TEXT,
  weekly_hours INTEGER, supervisor_id INTEGER REFERENCES staff_members(id));
CREATE TABLE treatments (id INTEGER PRIMARY KEY, name TEXT UNIQUE, category TEXT, list_price REAL,
  fasting_needed INTEGER);
CREATE TABLE visits (id INTEGER PRIMARY KEY, animal_id INTEGER REFERENCES animals(id),
  vet_id INTEGER REFERENCES staff_members(id), visited_on TEXT, reason TEXT, weight_kg REAL,
  consultation_fee REAL, fee_paid_on TEXT);
CREATE TABLE visit_treatments (visit_id INTEGER REFERENCES visits(id),
  treatment_id INTEGER REFERENCES treatments(id), quantity INTEGER,
  PRIMARY KEY (visit_id, treatment_id));
""")
    days = lambda a, b: (a + timedelta(days=rng.randint(0, (b - a).days))).isoformat()
    owners = [o.strip().split(",") for o in OWNERS.split(";")]
    signed = sorted(days(date(2012, 2, 1), date(2025, 3, 1)) for _ in owners)
    for i, (nm, street, town) in enumerate(owners, 1):
        phone = f"0{rng.randint(1300, 1999)} {rng.randint(200000, 899999)}"
        mail = nm.lower().replace(" ", ".") + rng.choice(["@postbox.example", "@fernmail.example"])
        row = (i, nm, street, town, phone if rng.random() < 0.88 else None)
        by = rng.randint(1, min(i - 1, 9)) if i > 3 and rng.random() < 0.4 else None
        row += (mail if rng.random() < 0.75 else None, signed[i - 1], by)
        db.execute("INSERT INTO owners VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    pets = [(n, s) for s, names in PETS.items() for n in names.split(",")]
    rng.shuffle(pets)
    keepers = list(range(1, 33)) + rng.choices(range(1, 33), k=len(pets) - 32)
    animals = []
    for i, ((nm, kind), who) in enumerate(zip(pets, keepers, strict=True), 1):
        oldest = {"dog": 2010, "cat": 2009, "horse": 2004, "parrot": 2006, "tortoise": 1968}.get(
            kind, 2019
        )
        born = days(
            date(oldest, 1, 1), date(1995, 1, 1) if kind == "tortoise" else date(2024, 3, 1)
        )
        breed = rng.choice(BREEDS[kind].split(",")) if rng.random() < 0.8 else None
        chip = (
            f"9{rng.randint(10**13, 10**14 - 1)}"
            if kind in ("dog", "cat", "horse") and rng.random() < 0.8
            else None
        )
        died = (
            days(date(2025, 5, 20), date(2025, 9, 20))
            if born < "2014" and kind != "tortoise" and rng.random() < 0.6
            else None
        )
        sex, fixed = (
            rng.choice(["female", "male"]),
            "yes" if kind in ("dog", "cat", "rabbit") and rng.random() < 0.6 else "no",
        )
        animals.append((i, nm, kind, breed, sex, born, fixed, chip, died, who))
    db.executemany("INSERT INTO animals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", animals)
    for i, s in enumerate(STAFF.split(";"), 1):
        nm, job, hired, hours, boss = s.strip().split(",")
        db.execute(
            "INSERT INTO staff_members VALUES (?, ?, ?, ?, ?, ?)",
            (i, nm, job, hired, int(hours), int(boss) if boss else None),
        )
    goods = [g.strip().split(",") for g in PRICES.split(";")]
    rows = [(i, n, c, float(p), int(f)) for i, (n, c, p, f) in enumerate(goods, 1)]
    db.executemany("INSERT INTO treatments VALUES (?, ?, ?, ?, ?)", rows)
    likely = {
        "vaccination": [1, 1, 2, 4],
        "teeth": [9, 10, 16],
        "wound": [8, 18, 19],
        "limping": [14, 19],
    }
    likely |= {"skin trouble": [3, 18, 16], "not eating": [15, 16, 17], "check-up": [3, 4, 5, 6, 7]}
    seen = sorted(days(date(2024, 6, 3), date(2025, 5, 16)) for _ in range(120))
    for i, day in enumerate(seen, 1):
        a = rng.choice([x for x in animals if x[0] % 8 and x[5] < day])
        why = rng.choice(WHY.split(","))
        kilos = round(
            max(
                0.3, KILOS.get(a[2], 1.2) * (0.75 + (a[0] * 7 % 10) / 18) * rng.uniform(0.96, 1.04)
            ),
            1,
        )
        fee = 78.0 if a[2] == "horse" else 22.0 if why == "follow-up" else 38.0
        paid = (
            date.fromisoformat(day) + timedelta(days=rng.choice([0, 0, 0, 4, 9, 21]))
        ).isoformat()
        row = (
            i,
            a[0],
            rng.choices([1, 2, 3, 4, 5], [9, 8, 6, 7, 3])[0],
            day,
            why,
            None if rng.random() < 0.1 else kilos,
        )
        db.execute(
            "INSERT INTO visits VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (*row, fee, None if rng.random() < 0.17 else paid),
        )
        given = set(
            rng.choices(likely.get(why, [8, 18, 19, 20, 13]), k=rng.choice([0, 1, 1, 2, 3]))
        )
        if why == "check-up" and a[2] in ("dog", "cat", "rabbit") and rng.random() < 0.25:
            given.add(11 if a[4] == "female" else 12)
        for t in sorted(given - (set() if a[2] == "dog" else {2})):
            n = (
                rng.choice([1, 2, 3])
                if t in (3, 4)
                else rng.choice([1, 1, 2])
                if t in (8, 10, 14, 19)
                else 1
            )
            db.execute("INSERT INTO visit_treatments VALUES (?, ?, ?)", (i, t, n))
