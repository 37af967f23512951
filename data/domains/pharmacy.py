"""A pharmacy: medicines on the shelf, prescriptions filled, suppliers and their deliveries."""

from datetime import date, timedelta

FIRST = """Amelia Ravi Chloe Tomasz Ngozi Henry Fatima Liam Yuki Grace Omar Isla Pedro Hannah
Kwame Sofia Declan Mei Arthur Leila Oscar Priya Callum Ines Marek Ruth Samuel Zainab Felix Nora
Hugo Bronwen Ibrahim Alice Viktor Esther Dylan Anjali Jack Marta""".split()
LAST = """Whitfield Patel Okafor Kowalski Brennan Nakamura Hughes Rahman Silva Lindqvist Mensah
Carter Novak Sharma Doyle Ferreira Chen Abbott Haddad Petrov Griffiths Jensen Moreau Adeyemi Walsh
Barker Khan Rossi Tanaka Fletcher Osei Murray Ivanova Singh Pritchard Lopez Yilmaz
Byrne""".split()
# name, strengths, form, category, prescription only, base price
DRUGS = [
    ("Paracetamol", "500 mg", "tablet", "painkiller", 0, 2.5),
    ("Ibuprofen", "200 mg,400 mg", "tablet", "painkiller", 0, 3.5),
    ("Codeine", "15 mg,30 mg", "tablet", "painkiller", 1, 6.5),
    ("Naproxen", "250 mg,500 mg", "tablet", "painkiller", 1, 7.5),
    ("Amoxicillin", "250 mg,500 mg", "capsule", "antibiotic", 1, 8.5),
    ("Doxycycline", "100 mg", "capsule", "antibiotic", 1, 9.5),
    ("Azithromycin", "250 mg,500 mg", "tablet", "antibiotic", 1, 12.5),
    ("Erythromycin", "125 mg/5 ml", "syrup", "antibiotic", 1, 10.5),
    ("Cetirizine", "10 mg", "tablet", "allergy", 0, 4.5),
    ("Loratadine", "10 mg,5 mg/5 ml", "tablet", "allergy", 0, 4.5),
    ("Fexofenadine", "120 mg,180 mg", "tablet", "allergy", 1, 8.5),
    ("Beclometasone", "50 mcg", "nasal spray", "allergy", 0, 6.5),
    ("Salbutamol", "100 mcg", "inhaler", "asthma", 1, 5.5),
    ("Budesonide", "100 mcg,200 mcg", "inhaler", "asthma", 1, 18.5),
    ("Montelukast", "10 mg", "tablet", "asthma", 1, 11.5),
    ("Amlodipine", "5 mg,10 mg", "tablet", "heart", 1, 4.5),
    ("Ramipril", "2.5 mg,5 mg,10 mg", "capsule", "heart", 1, 5.5),
    ("Bisoprolol", "1.25 mg,2.5 mg,5 mg", "tablet", "heart", 1, 5.5),
    ("Atorvastatin", "10 mg,20 mg,40 mg", "tablet", "heart", 1, 7.5),
    ("Metformin", "500 mg,850 mg", "tablet", "diabetes", 1, 4.5),
    ("Gliclazide", "40 mg,80 mg", "tablet", "diabetes", 1, 6.5),
    ("Insulin glargine", "100 units/ml", "injection", "diabetes", 1, 42.5),
    ("Omeprazole", "10 mg,20 mg", "capsule", "stomach", 0, 6.5),
    ("Loperamide", "2 mg", "capsule", "stomach", 0, 3.5),
    ("Lansoprazole", "15 mg,30 mg", "capsule", "stomach", 1, 6.5),
    ("Gaviscon Mint", "150 ml,300 ml", "syrup", "stomach", 0, 7.5),
    ("Hydrocortisone", "1 %,2.5 %", "cream", "skin", 0, 4.5),
    ("Clotrimazole", "1 %", "cream", "skin", 0, 5.5),
    ("Aciclovir", "5 %", "cream", "skin", 0, 5.5),
    ("Betamethasone", "0.1 %", "cream", "skin", 1, 9.5),
    ("Dextromethorphan", "100 ml,200 ml", "syrup", "cough and cold", 0, 5.5),
    ("Guaifenesin", "200 ml", "syrup", "cough and cold", 0, 5.5),
    ("Aspirin", "75 mg,300 mg", "tablet", "heart", 0, 2.5),
    ("Candesartan", "4 mg,8 mg", "tablet", "heart", 1, 6.5),
    ("Sitagliptin", "50 mg,100 mg", "tablet", "diabetes", 1, 5.5),
    ("Strepsils Honey", "24 pack", "tablet", "cough and cold", 0, 4.5),
    ("Xylometazoline", "0.1 %", "nasal spray", "cough and cold", 0, 4.5),
]
PACKS = {"tablet": [14, 28, 28, 30, 56, 84], "capsule": [7, 21, 28, 28]}
SUPPLIERS = """Alderley Medical,Manchester;Nordpharm Wholesale,Leeds;Severn Drug
Co,Bristol;Halcyon Healthcare,London;Mercia Pharma Logistics,Birmingham;BlueCross
Generics,Dublin;Tyne Valley Medicines,Newcastle;Castlegate Supplies,Lincoln;Kestrel
Pharmaceuticals,London;Avonmed,Bath"""
DOCTORS = """Dr Ashworth;Dr Banerjee;Dr Collins;Dr El-Amin;Dr Fitzgerald;Dr Hoang;Dr Kaur;Dr
Lindley; Dr Oyelaran;Dr Stanton"""


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` a random number generator."
    db.executescript("""
CREATE TABLE suppliers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, lead_time_days INTEGER);
CREATE TABLE medicines (id INTEGER PRIMARY KEY, name TEXT, form TEXT, category TEXT,
  sale_type TEXT, pack_size INTEGER, price REAL, stock INTEGER, expiry_date TEXT,
  supplier_id INTEGER REFERENCES suppliers(id));
CREATE TABLE customers (id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, birth_date TEXT,
  phone TEXT, allergy TEXT, loyalty_points INTEGER);
CREATE TABLE prescriptions (id INTEGER PRIMARY KEY,
  customer_id INTEGER REFERENCES customers(id), doctor TEXT, issued_on TEXT, filled_on TEXT,
  status TEXT);
CREATE TABLE prescription_items (prescription_id INTEGER REFERENCES prescriptions(id),
  medicine_id INTEGER REFERENCES medicines(id), quantity INTEGER, dosage TEXT,
  PRIMARY KEY (prescription_id, medicine_id));
CREATE TABLE deliveries (id INTEGER PRIMARY KEY, supplier_id INTEGER REFERENCES suppliers(id),
  medicine_id INTEGER REFERENCES medicines(id), delivered_on TEXT, packs INTEGER, unit_cost REAL);
""")
    today = date(2025, 3, 31)
    sup = [s.replace("\n", " ").split(",") for s in SUPPLIERS.split(";")]
    rows = [(i, n, c, rng.choice([1, 1, 2, 2, 3, 5])) for i, (n, c) in enumerate(sup, 1)]
    db.executemany("INSERT INTO suppliers VALUES (?, ?, ?, ?)", rows)
    meds = []
    for name, strengths, form, cat, rx, base in DRUGS:
        for k, s in enumerate(strengths.split(",")):
            f = "syrup" if s == "5 mg/5 ml" else form
            pack = rng.choice(PACKS.get(f, [1]))
            price = base + 1.5 * k + (pack // 28) + rng.choice([0, 0.25, 0.49])
            stock = 0 if rng.random() < 0.08 else int(rng.lognormvariate(3.2, 0.8)) + 1
            exp = today + timedelta(days=rng.randint(-40, 900))
            kind = "prescription only" if rx else "over the counter"
            who = min(rng.randint(1, 10), rng.randint(1, 10))
            row = (f"{name} {s}", f, cat, kind, pack, round(price, 2), stock, exp.isoformat(), who)
            meds.append((len(meds) + 1, *row))
    db.executemany(f"INSERT INTO medicines VALUES ({', '.join('?' * 10)})", meds)
    people = rng.sample([(f, n) for f in FIRST for n in LAST], 130)
    rows = []
    allergies = ["none", "penicillin", "aspirin", "latex", "lactose", "sulfa drugs"]
    for i, (f, n) in enumerate(people, 1):
        born = date(1932, 1, 1) + timedelta(days=int(rng.triangular(0, 33000, 12000)))
        phone = (
            None
            if rng.random() < 0.12
            else f"07{rng.randint(400, 989)} {rng.randint(100000, 999999)}"
        )
        al = None if rng.random() < 0.08 else rng.choices(allergies, [70, 11, 6, 4, 5, 4])[0]
        pts = int(rng.expovariate(1 / 160)) // 5 * 5
        rows.append((i, f, n, born.isoformat(), phone, al, pts))
    db.executemany("INSERT INTO customers VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    docs = [d.strip() for d in DOCTORS.split(";")]
    rx_meds = [m for m in meds if m[4] == "prescription only"]
    popular = [1 / (1 + j * 0.12) for j in range(len(rx_meds))]
    rng.shuffle(popular)
    rows, items = [], []
    for i in range(1, 211):
        issued = date(2024, 1, 4) + timedelta(days=i * 213 // 100)
        status = rng.choices(["collected", "expired", "cancelled"], [86, 9, 5])[0]
        if issued > date(2025, 3, 18):
            status = rng.choice(["waiting", "ready", "collected"])
        done = issued + timedelta(days=rng.choice([0, 0, 1, 1, 2, 3, 6]))
        filled = min(done, today).isoformat() if status in ("collected", "ready") else None
        cust = min(rng.randint(1, 130), rng.randint(1, 130))
        rows.append((i, cust, rng.choice(docs), issued.isoformat(), filled, status))
        for m in sorted({x[0] for x in rng.choices(rx_meds, popular, k=rng.choice([1, 1, 2, 3]))}):
            form = meds[m - 1][2]
            how = {"cream": "apply twice a day", "inhaler": "2 puffs when needed"}.get(form)
            how = how or ("once daily" if form == "injection" else None)
            how = how or rng.choice(["once daily", "twice a day", "three times a day", "at night"])
            items.append((i, m, rng.choice([1, 1, 1, 2, 2, 3]), how))
    db.executemany("INSERT INTO prescriptions VALUES (?, ?, ?, ?, ?, ?)", rows)
    db.executemany("INSERT INTO prescription_items VALUES (?, ?, ?, ?)", items)
    days = sorted(rng.randint(0, 450) for _ in range(190))
    rows = []
    for i, d in enumerate(days, 1):
        m = rng.choice(meds)
        who = m[9] if rng.random() < 0.9 else rng.randint(1, 10)
        when = date(2024, 1, 2) + timedelta(days=d)
        cost = round(m[6] * rng.uniform(0.5, 0.72), 2)
        rows.append((i, who, m[0], when.isoformat(), rng.choice([10, 12, 20, 20, 24, 50]), cost))
    db.executemany("INSERT INTO deliveries VALUES (?, ?, ?, ?, ?, ?)", rows)
