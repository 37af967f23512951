"""A warehouse: items, locations, suppliers, stock on hand and purchase orders."""

import datetime

SUPPLIERS = """NORDPAK|Nordpak Emballage A/S|DK;HALBRT|Halbert & Sons Ltd|GB
KESSLR|Kessler Verpackung|DE;LUMIPL|Lumiplast SARL|FR;TRIDNT|Trident Fasteners|GB
OSAKTL|Osaka Tool Works|JP;BRENTA|Brenta Nastri SpA|IT;GDANSK|Gdansk Karton Sp z o.o.|PL
VERDEX|Verdex Labels BV|NL;ALMERA|Almera Safety SL|ES;QUILLN|Quillon Paper Co|IE
SUNRIS|Sunrise Polymers|IN;STALFX|Stalfix GmbH|DE;MERIDN|Meridian Supplies|GB
PINECR|Pinecrest Pallets|GB;ARDENN|Ardennes Mousse SA|BE;BLUHAR|Blue Harbour Trading|GB"""
# SKU prefix, category, unit, cheapest and dearest; kinds from cheap to dear; variants
FAMILIES = """BX CARTON EA 0.22 3.2
POSTAL BOX;SINGLE WALL BOX;DOUBLE WALL BOX;ARCHIVE BOX;WINE CARTON
200X150X100;305X229X229;400X300X200;457X305X305;600X400X400
TP TAPE RL 0.85 7.5
PACKING TAPE CLEAR;PACKING TAPE BROWN;MASKING TAPE;FRAGILE TAPE;FLOOR TAPE
25MM;48MM;75MM
FS FASTENER BOX 2.4 18
SPRING WASHER;NYLOC NUT;WOOD SCREW CSK;HEX BOLT ZP;WALL ANCHOR
M5;M6;M8;M10;M12
SF SAFETY PR 0.9 38
NITRILE GLOVE;RIGGER GLOVE;KNEE PAD;SAFETY BOOT
S;M;L;XL
LB LABEL RL 3.1 14.5
ADDRESS LABEL;BARCODE LABEL;THERMAL LABEL;HAZARD DIAMOND
76X51;100X50;100X150
TL TOOL EA 4.5 189
SAFETY KNIFE;STRAP CUTTER;TAPE GUN;TORQUE DRIVER;HAND SCANNER
STD;HD""".split("\n")


def day(start, days):
    return (datetime.date.fromisoformat(start) + datetime.timedelta(days=days)).isoformat()


def build(db, rng):
    db.executescript("""
        CREATE TABLE SUPPLIER (SUPP_CD TEXT PRIMARY KEY, SUPP_NAME TEXT, CTRY TEXT,
            LEAD_DAYS INTEGER, PAY_TERMS TEXT, RATING TEXT);
        CREATE TABLE ITEM (SKU TEXT PRIMARY KEY, ITEM_DESC TEXT, CAT_CD TEXT, UOM TEXT,
            UNIT_COST REAL, WT_KG REAL, REORDER_PT INTEGER, ABC_CLS TEXT, ACTIVE_YN TEXT);
        CREATE TABLE ITEM_SUPP (SKU TEXT REFERENCES ITEM (SKU),
            SUPP_CD TEXT REFERENCES SUPPLIER (SUPP_CD), SUPP_PRICE REAL, PREF_YN TEXT,
            PRIMARY KEY (SKU, SUPP_CD));
        CREATE TABLE LOC (LOC_CD TEXT PRIMARY KEY, ZONE TEXT, LOC_TYPE TEXT, MAX_WT_KG INTEGER);
        CREATE TABLE STOCK (SKU TEXT REFERENCES ITEM (SKU), LOC_CD TEXT REFERENCES LOC (LOC_CD),
            QTY_ON_HAND INTEGER, QTY_RSVD INTEGER, LAST_CNT_DT TEXT, PRIMARY KEY (SKU, LOC_CD));
        CREATE TABLE PO (PO_NO TEXT PRIMARY KEY, SUPP_CD TEXT REFERENCES SUPPLIER (SUPP_CD),
            ORD_DT TEXT, DUE_DT TEXT, RCVD_DT TEXT, STATUS TEXT, BUYER TEXT);
        CREATE TABLE PO_LINE (PO_NO TEXT REFERENCES PO (PO_NO), LINE_NO INTEGER,
            SKU TEXT REFERENCES ITEM (SKU), QTY_ORD INTEGER, QTY_RCVD INTEGER, LINE_COST REAL,
            PRIMARY KEY (PO_NO, LINE_NO));
    """)
    lead = {}
    for text in SUPPLIERS.replace("\n", ";").split(";"):
        code, name, country = text.split("|")
        lead[code] = {"GB": 5, "JP": 35, "IN": 42}.get(country, 12) + rng.randint(-2, 6)
        terms = rng.choices(["NET30", "NET60", "NET14", "PREPAY"], [10, 4, 3, 1])[0]
        rating = rng.choices("ABC", [6, 8, 3])[0] if rng.random() < 0.88 else None
        row = (code, name, country, lead[code], terms, rating)
        db.execute("INSERT INTO SUPPLIER VALUES (?, ?, ?, ?, ?, ?)", row)

    items, offers = {}, {code: [] for code in lead}
    for head, kinds, variants in zip(FAMILIES[::3], FAMILIES[1::3], FAMILIES[2::3]):
        prefix, category, unit, low, high = head.split()
        number = 1000
        makers = rng.sample(list(lead), 6)
        kinds = kinds.split(";")
        for rank, kind in enumerate(kinds):
            dear = (rank + 0.5 * rng.random()) / len(kinds)
            base = float(low) * (float(high) / float(low)) ** dear
            for step, variant in enumerate(variants.split(";")):
                number += rng.choice([1, 2, 5, 7, 14])
                sku, cost = (
                    f"{prefix}-{number}",
                    round(base * (1.05 if category == "SAFETY" else 1.22) ** step, 2),
                )
                weight = round(0.05 + cost * rng.uniform(0.03, 0.12), 2)
                weight = weight if rng.random() < 0.9 else None
                grade = rng.choices("ABC", [2, 3, 5])[0]
                point = {"A": 40, "B": 20, "C": 5}[grade] * rng.choice([1, 2, 3, 5])
                active = rng.choices("YN", [92, 8])[0]
                items[sku] = (
                    f"{kind} {variant}",
                    category,
                    unit,
                    cost,
                    weight,
                    point,
                    grade,
                    active,
                )
                for place, code in enumerate(rng.sample(makers, rng.choice([1, 1, 2, 2, 3]))):
                    price = round(cost * (1 + place * rng.uniform(0.01, 0.15)), 2)
                    offers[code].append((sku, code, price, "Y" if place == 0 else "N"))
    db.executemany(
        "INSERT INTO ITEM VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(sku, *rest) for sku, rest in items.items()],
    )
    every = sorted(row for rows in offers.values() for row in rows)
    db.executemany("INSERT INTO ITEM_SUPP VALUES (?, ?, ?, ?)", every)

    places = []
    kinds = "A BULK PALLET 1000;B BULK PALLET 1000;C PICK SHELF 150;D PICK SHELF 150"
    for line in f"{kinds};E PICK BIN 25;Q QUAR CAGE 400".split(";"):
        aisle, zone, kind, most = line.split()
        for bay in range(1, 5 if aisle == "Q" else 9):
            for level in range(1, 3):
                places.append((f"{aisle}-{bay:02}-{level}", zone, kind, int(most)))
    db.executemany("INSERT INTO LOC VALUES (?, ?, ?, ?)", places)
    for sku, (*_, point, grade, active) in items.items():
        for place in sorted(rng.sample(places, {"A": 3, "B": 2, "C": 1}[grade])):
            quantity = int(point * rng.choice([0, 0.3, 0.6, 1, 1.4, 2.2]) * rng.uniform(0.8, 1.2))
            quantity = quantity if active == "Y" else 0
            reserved = int(quantity * rng.choice([0, 0, 0, 0.1, 0.4]))
            counted = day("2024-01-08", rng.randint(0, 170)) if rng.random() < 0.86 else None
            row = (sku, place[0], quantity, reserved, counted)
            db.execute("INSERT INTO STOCK VALUES (?, ?, ?, ?, ?)", row)

    buyers = ["TMORGAN", "AKOWAL", "SBANERJ", "LREYES"]
    codes = [code for code in lead if offers[code]]
    for number, ordered in enumerate(sorted(rng.sample(range(350), 90))):
        code = rng.choices(codes, [len(offers[c]) for c in codes])[0]
        arrived = ordered + lead[code] + rng.choice([-2, 0, 0, 0, 1, 3, 9])
        status = "RCVD" if arrived < 335 else rng.choice(["OPEN", "OPEN", "PART"])
        status = "CANC" if rng.random() < 0.05 else status
        received = day("2023-07-03", arrived) if status == "RCVD" else None
        dates = day("2023-07-03", ordered), day("2023-07-03", ordered + lead[code]), received
        buyer = rng.choices(buyers, [5, 3, 2, 1])[0]
        key = f"PO-{24001 + number}"
        db.execute(
            "INSERT INTO PO VALUES (?, ?, ?, ?, ?, ?, ?)", (key, code, *dates, status, buyer)
        )
        lines = rng.sample(offers[code], min(len(offers[code]), rng.choice([1, 2, 3, 3, 4, 6])))
        for line, (sku, _, price, _) in enumerate(lines, 1):
            quantity = rng.choice([1, 2, 2, 4, 6]) * max(10, items[sku][5])
            got = {"RCVD": 1, "PART": rng.choice([0.25, 0.5, 1])}.get(status, 0)
            row = (key, line, sku, quantity, int(quantity * got), round(quantity * price, 2))
            db.execute("INSERT INTO PO_LINE VALUES (?, ?, ?, ?, ?, ?)", row)
