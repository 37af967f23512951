"""A dental practice: patients, dentists, appointments, the treatments given and the invoices."""

from datetime import date, timedelta

FEMALE = """Anna Chloe Priya Fatima Ingrid Mei Sofia Hannah Aoife Leila Grace Olivia Zofia Carmen
Ruth Nadia Emily Yuki Blessing Martha Elena Samira Tess Joanna Ivy""".split()
MALE = """Liam Omar Jakub Daniel Kwame Hiroshi Mateo Thomas Arjun Pavel Sean Ibrahim Oscar Viktor
Leon Callum Ahmed Marcus Diego Wei Peter Nikhil Samuel Felix George""".split()
LAST = """Walker Okafor Nowak Sharma Murphy Jensen Haddad Tanaka Rossi Fernandez Hughes Kowalski
Chen Begum Larsen Osei Patel Byrne Novak Silva Clarke Mensah Dubois Schmidt Ali Kaur Fraser Popescu
Moreau Bennett Yilmaz Sato Gallagher Ortiz Lindqvist Doyle Nguyen Hart Ferrari Barker""".split()
DENTISTS = [
    ("Helen", "Ashworth", "General", "2009-04-01", 1),
    ("Rajesh", "Iyer", "General", "2014-09-15", 2),
    ("Katarzyna", "Wolska", "Endodontics", "2016-02-01", 3),
    ("Tomas", "Brandt", "Oral surgery", "2018-06-11", 4),
    ("Amina", "Diallo", "Paediatric", "2020-01-06", 5),
    ("Colm", "Redmond", "Hygiene", "2021-10-04", 6),
]
TREATMENTS = """EXA|Check-up|Diagnostic|45.00|20|40;XRB|Bitewing X-ray|Diagnostic|18.50|5|20
XRP|Panoramic X-ray|Diagnostic|52.00|10|6;CLN|Scale and polish|Preventive|68.00|30|34
FLU|Fluoride varnish|Preventive|24.50|10|12;SEA|Fissure sealant|Preventive|32.00|15|8
FIC|Composite filling|Restorative|115.00|40|22;FIA|Amalgam filling|Restorative|88.50|35|7
CRP|Porcelain crown|Restorative|620.00|60|5;CRM|Metal crown|Restorative|480.00|60|2
RC1|Root canal, front tooth|Endodontic|340.00|60|4;RC2|Root canal, molar|Endodontic|525.00|90|6
EXS|Simple extraction|Surgical|95.00|30|7;EXW|Wisdom tooth extraction|Surgical|245.00|60|6
IMP|Implant|Surgical|1850.00|90|2;WHT|Whitening|Cosmetic|299.00|60|5
VEN|Veneer|Cosmetic|450.00|60|2;MOU|Mouth guard|Preventive|135.00|20|3"""
SCOPE = {
    "General": "EXA EXA XRB CLN FLU FIC FIA CRP CRM EXS WHT VEN MOU XRP RC1".split(),
    "Endodontics": "RC1 RC2 RC2 XRB FIC CRP EXA".split(),
    "Oral surgery": "EXS EXW EXW IMP XRP EXA".split(),
    "Paediatric": "EXA EXA FLU SEA FIC CLN MOU".split(),
    "Hygiene": "CLN CLN FLU XRB EXA".split(),
}
WHOLE_MOUTH = "EXA XRB XRP CLN FLU WHT MOU".split()
STATUS = [("S", "Scheduled"), ("C", "Completed"), ("N", "No-show"), ("X", "Cancelled")]
TODAY = date(2024, 5, 17)


def pick_tooth(code, child, rng):
    "The FDI number of a tooth that fits the treatment; None for the whole mouth."
    if code in WHOLE_MOUTH:
        return None
    if child:
        return rng.choice((5, 6, 7, 8)) * 10 + rng.choice((3, 4, 4, 5, 5))
    places = {"EXW": (8,), "RC1": (1, 2, 3), "VEN": (1, 1, 2, 3), "RC2": (6, 6, 7)}
    return rng.choice((1, 2, 3, 4)) * 10 + rng.choice(places.get(code, (2, 4, 5, 6, 6, 7)))


def build(db, rng):
    "Create and fill the tables of the practice."
    db.executescript("""
    CREATE TABLE dentist (dentist_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT,
        specialty TEXT, hired_on TEXT, room INTEGER);
    CREATE TABLE patient (patient_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, sex TEXT,
        birth_date TEXT, town TEXT, phone TEXT, insurance TEXT, registered_on TEXT,
        dentist_id INTEGER REFERENCES dentist);
    CREATE TABLE treatment (treatment_code TEXT PRIMARY KEY, name TEXT, category TEXT, price REAL,
        minutes INTEGER);
    CREATE TABLE appointment_status (status TEXT PRIMARY KEY, description TEXT);
    CREATE TABLE appointment (appointment_id INTEGER PRIMARY KEY,
        patient_id INTEGER REFERENCES patient, dentist_id INTEGER REFERENCES dentist,
        appointment_date TEXT, start_time TEXT, status TEXT REFERENCES appointment_status);
    CREATE TABLE appointment_treatment (appointment_id INTEGER REFERENCES appointment,
        treatment_code TEXT REFERENCES treatment, tooth INTEGER, price REAL,
        PRIMARY KEY (appointment_id, treatment_code));
    CREATE TABLE invoice (invoice_id INTEGER PRIMARY KEY,
        appointment_id INTEGER REFERENCES appointment, issued_on TEXT, amount REAL, paid_on TEXT);
    """)
    db.executemany(
        "INSERT INTO dentist VALUES (?, ?, ?, ?, ?, ?)",
        [(i + 1, *d) for i, d in enumerate(DENTISTS)],
    )
    db.executemany("INSERT INTO appointment_status VALUES (?, ?)", STATUS)
    catalogue = [line.split("|") for line in TREATMENTS.replace("\n", ";").split(";")]
    price = {c[0]: float(c[3]) for c in catalogue}
    weight = {c[0]: int(c[5]) for c in catalogue}
    rows = [(c[0], c[1], c[2], float(c[3]), int(c[4])) for c in catalogue]
    db.executemany("INSERT INTO treatment VALUES (?, ?, ?, ?, ?)", rows)

    towns = ["Marlow", "High Wycombe", "Maidenhead", "Bourne End", "Henley", "Cookham"]
    patients, names = [], {}
    while len(patients) < 130:
        sex = rng.choice("FFM")
        name = (rng.choice(FEMALE if sex == "F" else MALE), rng.choice(LAST))
        if name in names:
            continue
        names[name] = True
        age = rng.randint(4, 15) if rng.random() < 0.2 else int(rng.triangular(16, 88, 40))
        born = date(2024 - age - 1, 6, 1) + timedelta(rng.randrange(350))
        first = max(date(2010, 1, 4), born + timedelta(900))
        joined = first + timedelta(int(rng.random() ** 0.7 * (date(2023, 12, 1) - first).days))
        joined -= timedelta(max(0, joined.weekday() - 4))
        phone = None if rng.random() < 0.12 else f"07700 900{len(patients) + 101}"
        cover = rng.choices(["NHS", "PRIV", "NONE"], [55, 33, 12])[0]
        dentist = 5 if age < 16 else rng.choices([1, 2, 3, 4, 6], [38, 32, 8, 5, 12])[0]
        town = rng.choices(towns, [45, 20, 12, 10, 8, 5])[0]
        row = (*name, sex, str(born), town, phone, cover, str(joined), dentist)
        patients.append((len(patients) + 1, *row))
    db.executemany("INSERT INTO patient VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", patients)

    slots, visits = {}, []
    while len(visits) < 280:
        patient = patients[int(rng.random() ** 1.4 * len(patients))]
        child = patient[9] == 5
        dentist = patient[9] if child or rng.random() < 0.7 else rng.choice((1, 2, 3, 4, 6))
        day = date(2023, 1, 9) + timedelta(rng.randrange(540))
        slot = (
            dentist,
            day,
            f"{rng.choice((8, 9, 9, 10, 10, 11, 13, 14, 15, 16)):02d}:{rng.choice(('00', '30'))}",
        )
        if day.weekday() > 4 or slot in slots or str(day) <= patient[8]:
            continue
        slots[slot] = True
        past = rng.choices("CNX", [84, 6, 10])[0]
        status = past if day < TODAY else rng.choices("SX", [92, 8])[0]
        visits.append((day, slot[2], patient, dentist, status))
    visits.sort(key=lambda v: (v[0], v[1], v[3]))
    lines, invoices = [], []
    for i, (day, time, patient, dentist, status) in enumerate(visits, 1):
        row = (i, patient[0], dentist, str(day), time, status)
        db.execute("INSERT INTO appointment VALUES (?, ?, ?, ?, ?, ?)", row)
        if status != "C":
            continue
        scope, total = SCOPE[DENTISTS[dentist - 1][2]], 0
        drawn = rng.choices(scope, [weight[c] for c in scope], k=rng.choice((1, 2, 2, 3)))
        for code in dict.fromkeys(drawn):
            cost = round(price[code] * (0.8 if patient[9] == 5 else 1), 2)
            total += cost
            lines.append((i, code, pick_tooth(code, patient[4] > "2012", rng), cost))
        paid = day + timedelta(int(rng.expovariate(1 / 14)))
        unpaid = paid > TODAY or rng.random() < 0.1
        invoices.append(
            (len(invoices) + 1001, i, str(day), round(total, 2), None if unpaid else str(paid))
        )
    db.executemany("INSERT INTO appointment_treatment VALUES (?, ?, ?, ?)", lines)
    db.executemany("INSERT INTO invoice VALUES (?, ?, ?, ?, ?)", invoices)
