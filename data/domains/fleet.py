"""A delivery firm's vehicle fleet: vehicles, drivers, trips, refuelling, services and depots."""

from datetime import date, timedelta

FIRST = """Milan Ewa Gabor Ilse Joao Katrin Ludo Marek Nuno Olga Piet Ramon Silvia Tibor Uwe Vesna
Wout Zoran Andre Bilal Cem Dora Erik Filip Goran Hana Igor Jan Karim Lieke Maarten Nadine Osman
Petr Rita Sven Teresa Victor Youssef Anouk""".split()
LAST = """Horvat Peeters de_Vries Kovacs Santos Wagner Mertens Bakker Jovanovic Molnar Almeida
Janssens Fischer Demir Benali Svoboda Visser Claes Toth Ribeiro Weber Kaya Maes Dvorak Smit Haddou
Krause Nemeth Pinto Aerts Vogel Costa Yildirim Bos Farkas Willems Novotna Schouten El_Amrani
Lemmens""".split()
DEPOTS = """ANR|Antwerp North|Antwerp|38;GNT|Ghent Harbour|Ghent|22;LIE|Liège Bressoux|Liège|16
RTM|Rotterdam Waalhaven|Rotterdam|30;EIN|Eindhoven Airport|Eindhoven|12"""
MODELS = """Renault|Master|Van|D|1350|38900|9.2|16;Ford|Transit|Van|D|1250|36500|9.0|18
Mercedes|Sprinter|Van|D|1400|44200|9.6|14;Volkswagen|Crafter|Van|D|1300|41800|9.4|8
Renault|Kangoo|Small van|P|600|21900|7.1|9;Citroën|Berlingo|Small van|P|650|22400|7.0|8
Nissan|Townstar|Small van|E|600|34700|21.0|6;Mercedes|eSprinter|Van|E|900|58600|31.0|5
DAF|LF 210|Truck|D|5200|78500|19.5|6;Iveco|Eurocargo|Truck|D|6100|82300|21.0|5
MAN|TGM 18|Heavy truck|D|10400|118000|26.5|4;Toyota|Corolla|Car|H|430|29800|4.9|5"""
PLACES = """Brussels|55;Antwerp|60;Ghent|70;Bruges|105;Liège|130;Namur|110;Hasselt|85;Leuven|60
Rotterdam|95;Eindhoven|90;Breda|60;Tilburg|75;Utrecht|150;Maastricht|115;Lille|125;Aachen|145
Charleroi|105;Kortrijk|100;Mechelen|30;Genk|95"""
SERVICES = """OIL|Oil and filters|189|34;TYR|New tyres|640|18;BRK|Brakes|415|14
INS|Yearly inspection|98|30;BAT|Battery|230|7;CLU|Clutch|1150|3
BOD|Body repair|870|6;AIR|Air conditioning|265|5"""
TRIP_TYPES = ["Delivery", "Pick-up", "Return", "Transfer", "Private"]


def split(text):
    "The records of a text, fields between bars."
    return [record.split("|") for record in text.replace("\n", ";").split(";")]


def build(db, rng):
    "Create and fill the fleet's tables."
    db.executescript("""
    CREATE TABLE tbl_depot (dep_cd TEXT PRIMARY KEY, dep_nm TEXT, city TEXT, n_bays INTEGER);
    CREATE TABLE tbl_vehicle (veh_id INTEGER PRIMARY KEY, reg_no TEXT, make TEXT, model TEXT,
        veh_typ TEXT, fuel_cd TEXT, payload_kg INTEGER, purch_dt TEXT, purch_eur REAL,
        km_now INTEGER, dep_cd TEXT REFERENCES tbl_depot, stat_cd TEXT);
    CREATE TABLE tbl_driver (drv_id INTEGER PRIMARY KEY, drv_nm TEXT, lic_cls TEXT, lic_exp_dt TEXT,
        hire_dt TEXT, tel_no TEXT, dep_cd TEXT REFERENCES tbl_depot, stat_cd TEXT);
    CREATE TABLE tbl_drv_veh (drv_id INTEGER REFERENCES tbl_driver,
        veh_id INTEGER REFERENCES tbl_vehicle, since_dt TEXT, PRIMARY KEY (drv_id, veh_id));
    CREATE TABLE tbl_trip (trip_id INTEGER PRIMARY KEY, veh_id INTEGER REFERENCES tbl_vehicle,
        drv_id INTEGER REFERENCES tbl_driver, trip_dt TEXT, trip_typ TEXT, dest TEXT,
        km_start INTEGER, km_end INTEGER, load_kg INTEGER);
    CREATE TABLE tbl_refuel (rf_id INTEGER PRIMARY KEY, veh_id INTEGER REFERENCES tbl_vehicle,
        rf_dt TEXT, qty REAL, unit_eur REAL, cost_eur REAL);
    CREATE TABLE tbl_service (svc_id INTEGER PRIMARY KEY, veh_id INTEGER REFERENCES tbl_vehicle,
        svc_dt TEXT, svc_cd TEXT, svc_desc TEXT, km INTEGER, garage TEXT, cost_eur REAL);
    """)
    db.executemany("INSERT INTO tbl_depot VALUES (?, ?, ?, ?)", split(DEPOTS))
    cities, shares = {d[0]: d[2] for d in split(DEPOTS)}, [36, 22, 15, 18, 9]
    depots = list(cities)
    models, places, works = split(MODELS), split(PLACES), split(SERVICES)
    vehicles, plates = [], {}
    while len(vehicles) < 70:
        depot = rng.choices(depots, shares)[0]
        abc, number = "".join(rng.choices("BCDFGHJKLNPRSTVXZ", k=3)), rng.randint(100, 999)
        plate = f"V-{number}-{abc[:2]}" if depot in ("RTM", "EIN") else f"2-{abc}-{number}"
        if plate in plates:
            continue
        plates[plate] = model = rng.choices(models, [int(m[7]) for m in models])[0]
        make, name, kind, fuel, payload, price, use, _ = model
        age = int(rng.random() ** 1.3 * 3000) + 200
        bought = date(2024, 1, 1) - timedelta(max(200, age // 3 if fuel == "E" else age))
        km = (date(2024, 1, 1) - bought).days * rng.randint(45, 110)
        paid = round(int(price) * rng.uniform(0.9, 1.06) / 50) * 50.0
        veh = [plate, make, name, kind, fuel, int(payload), str(bought), paid, km, depot]
        vehicles.append(veh + [rng.choices(["ACT", "SHOP", "SOLD"], [84, 9, 7])[0], float(use)])
    vehicles.sort(key=lambda v: v[6])
    drivers, names, kinds = [], {}, ["B", "C1", "C", "CE"]
    while len(drivers) < 64:
        name = f"{rng.choice(FIRST)} {rng.choice(LAST).replace('_', ' ')}"
        if name in names:
            continue
        names[name] = n = len(drivers) + 1
        licence = rng.choices(kinds, [58, 18, 16, 8])[0]
        hired = date(2012, 1, 2) + timedelta(int(rng.random() ** 0.6 * 4300))
        expires = date(2024, 7, 1) + timedelta(rng.randrange(3000))
        tel = f"0470 {rng.randint(10, 99)} {rng.randint(10, 99)} {n + 10}"
        tel = None if rng.random() < 0.12 else tel
        depot, status = (
            rng.choices(depots, shares)[0],
            rng.choices(["ACT", "SICK", "LEFT"], [84, 9, 7])[0],
        )
        drivers.append((n, name, licence, str(expires), str(hired), tel, depot, status))
    db.executemany("INSERT INTO tbl_driver VALUES (?, ?, ?, ?, ?, ?, ?, ?)", drivers)

    needs = {"Truck": ("C1", "C", "CE"), "Heavy truck": ("C", "CE")}
    pairs, trips, fuel_log, services = {}, [], [], []
    busy = [rng.random() ** 1.6 + 0.1 for _ in vehicles]
    for v, veh in enumerate(vehicles, 1):
        fit = [d for d in drivers if d[2] in needs.get(veh[3], kinds)]
        near = [d for d in fit if d[6] == veh[9]] or fit
        pairs[v] = rng.sample(near, min(len(near), rng.choice((1, 2, 2, 3, 4))))
    cheap = {"D": 1.72, "P": 1.81, "H": 1.81, "E": 0.46}
    calendar = sorted(date(2024, 1, 2) + timedelta(rng.randrange(178)) for _ in range(400))
    for day, v in zip(calendar, rng.choices(range(1, 71), busy, k=400), strict=True):
        veh, driver = vehicles[v - 1], rng.choice(pairs[v])
        place, km = rng.choices(places, range(20, 0, -1))[0]
        free = veh[10] != "SOLD" and driver[7] != "LEFT" and place != cities[veh[9]]
        if day.weekday() == 6 or not free or (v, str(day)) in [(t[0], t[2]) for t in trips]:
            continue
        kind = rng.choices(TRIP_TYPES, [64, 16, 9, 8, 3])[0]
        veh[8] += rng.randint(5, 900)
        end = veh[8] + int(int(km) * rng.uniform(0.9, 1.3)) * rng.choice((1, 2, 2))
        load = round(veh[5] * rng.uniform(0.15, 0.98) / 5) * 5 if kind in TRIP_TYPES[:3] else None
        trips.append((v, driver[0], str(day), kind, place, veh[8], end, load))
        if rng.random() < 0.55:
            used = round(min(veh[11] * rng.uniform(2, 6), 160), 1)
            unit = round(cheap[veh[4]] + rng.uniform(-0.09, 0.12), 3)
            fuel_log.append((v, str(day), used, unit, round(used * unit, 2)))
        veh[8] = end
    rows = [(i, *t) for i, t in enumerate(trips, 1)]
    for i, veh in enumerate(vehicles, 1):
        db.execute(f"INSERT INTO tbl_vehicle VALUES ({'?, ' * 11}?)", (i, *veh[:11]))
    db.executemany("INSERT INTO tbl_trip VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    for v, some in pairs.items():
        rows = [(d[0], v, max(d[4], vehicles[v - 1][6])) for d in some]
        db.executemany("INSERT INTO tbl_drv_veh VALUES (?, ?, ?)", rows)
    rows = [(i, *f) for i, f in enumerate(fuel_log, 1)]
    db.executemany("INSERT INTO tbl_refuel VALUES (?, ?, ?, ?, ?, ?)", rows)
    garages = ["Own workshop", "Garage Peeters", "TruckPoint", "Bosch Service", None]
    while len(services) < 190:
        v = rng.randrange(70)
        veh, days = vehicles[v], rng.randrange(30, 1400)
        when = date(2024, 6, 28) - timedelta(days)
        code, what, price, _ = rng.choices(works, [int(w[3]) for w in works])[0]
        if str(when) <= veh[6] or (veh[4] == "E" and code in ("OIL", "CLU")) or when.weekday() > 4:
            continue
        life = (date(2024, 6, 28) - date.fromisoformat(veh[6])).days
        km = int(veh[8] * (life - days) / life)
        cost = round(int(price) * rng.uniform(0.8, 1.35) * (1.8 if "ruck" in veh[3] else 1), 2)
        garage = rng.choices(garages, [45, 20, 12, 14, 9])[0]
        services.append((str(when), v + 1, code, what, km, garage, cost))
    services.sort(key=lambda s: s[:3])
    rows = [(i, v, when, *rest) for i, (when, v, *rest) in enumerate(services, 1)]
    db.executemany("INSERT INTO tbl_service VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
