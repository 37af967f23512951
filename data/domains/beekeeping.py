"""A beekeepers' club, kept as a workbook: keepers, sites, hives, inspections, harvests."""

from datetime import date, timedelta

FIRST = """Agnes Rowan Bettina Callum Dilys Edgar Fenella Gwilym Harriet Ivor Jocasta Kester Lorna
Mungo Nesta Osbert Petra Quentin Roisin Silvanus Thora Ulric Verity Wilfred""".split()
LAST = """Thistlewood Brackley Cadwallader Dunmore Everleigh Farthing Glasspool Hathersage Ingleby
Jessop Kilbride Lovelock Maddern Nethercott Oakshott Pennyfeather Quarmby Rushbrook Skelhorn
Tregenza Underhay Varley Wetherall Yaxley""".split()
VILLAGES = ["Upper Sallow", "Marlbrook", "Tansy Green", "Coldwater", "Fenwick Mill", "Hobley"]
SITES = [
    ("ORC", "Old Orchard", "Parish of Marlbrook", 0.0, "apple", 64, "yes"),
    ("HTH", "Heather Ridge", "Estate of Lord Pym", 240.0, "heather", 318, "no"),
    ("LIM", "Lime Avenue", "Hobley Council", 85.0, "lime", 71, "yes"),
    ("RPE", "Gorse Farm", "Brothers Annis", 120.0, "rape", 102, "no"),
    ("ALL", "Allotment Corner", "Hobley Council", 40.0, "garden flowers", 58, "yes"),
    ("WLW", "Willow Reach", "Widow Tansley", 60.0, "willow", 43, "yes"),
    ("QRY", "Disused Quarry", None, 0.0, "bramble", 187, "no"),
    ("VIC", "Vicarage Lawn", "Rev. Pargeter", 30.0, "clover", 77, "yes"),
]
QUEENS = """Boadicea Cleopatra Maud Titania Nefertiti Zenobia Guinevere Hippolyta Isolde Eleanor
Morgana Semiramis Theodora Beatrix Dido Ottoline Philippa Sheba Wilhelmina Xanthe Yolanda Ariadne
Brunhilde Cordelia Drusilla Euphemia Florizel Hermione Iphigenia Juno Kriemhild Lavinia Medea
Octavia Persephone Rosalind""".split()
NOTES = [
    "queen cells cut out",
    "added a super",
    "wasps at the entrance",
    "low on stores",
    "chalkbrood",
    "damp floor",
    "fed syrup",
    "very strong",
]


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` a random number generator."
    db.executescript("""
CREATE TABLE "Keepers" ("Keeper No" INTEGER PRIMARY KEY, "Full Name" TEXT UNIQUE,
  "Home Village" TEXT, "Year of Birth" INTEGER, "Date Joined" TEXT, "Phone Number" TEXT,
  "Fee Paid" TEXT, "Mentor No" INTEGER REFERENCES "Keepers"("Keeper No"));
CREATE TABLE "Apiary Sites" ("Site Code" TEXT PRIMARY KEY, "Site Name" TEXT, "Land Owner" TEXT,
  "Rent per Year" REAL, "Main Forage" TEXT, "Altitude m" INTEGER, "Reachable by Car" TEXT);
CREATE TABLE "Bee Hives" ("Hive Tag" TEXT PRIMARY KEY, "Hive Type" TEXT, "Paint Colour" TEXT,
  "Keeper No" INTEGER REFERENCES "Keepers"("Keeper No"),
  "Site Code" TEXT REFERENCES "Apiary Sites"("Site Code"), "Bee Race" TEXT, "Queen Name" TEXT,
  "Queen Hatched" INTEGER, "Set Up On" TEXT, "Hive Status" TEXT,
  "Split From" TEXT REFERENCES "Bee Hives"("Hive Tag"));
CREATE TABLE "Hive Inspections" ("Inspection No" INTEGER PRIMARY KEY,
  "Hive Tag" TEXT REFERENCES "Bee Hives"("Hive Tag"), "Visit Date" TEXT,
  "Inspected By" INTEGER REFERENCES "Keepers"("Keeper No"), "Brood Frames" INTEGER,
  "Queen Seen" TEXT, "Bee Temper" TEXT, "Mites Counted" INTEGER, "Remarks" TEXT);
CREATE TABLE "Honey Harvests" ("Harvest No" INTEGER PRIMARY KEY,
  "Hive Tag" TEXT REFERENCES "Bee Hives"("Hive Tag"), "Harvest Date" TEXT, "Honey Kind" TEXT,
  "Weight kg" REAL, "Water Percent" REAL, "Jars Filled" INTEGER, "Price per Jar" REAL);
CREATE TABLE "Mite Treatments" ("Hive Tag" TEXT REFERENCES "Bee Hives"("Hive Tag"),
  "Start Date" TEXT, "Product" TEXT, "Days Left In" INTEGER, "Cost" REAL,
  PRIMARY KEY ("Hive Tag", "Start Date"));
""")
    lasts, since = rng.sample(LAST, 22), {}
    for i in range(1, 23):
        joined = date(
            rng.randint(2006, 2015) if i < 7 else rng.randint(2016, 2024),
            rng.randint(1, 10),
            rng.randint(1, 28),
        )
        since[i] = joined.isoformat()
        mentor = rng.choice([1, 2, 2, 4, 5]) if i > 6 and rng.random() < 0.7 else None
        phone = (
            None
            if rng.random() < 0.15
            else f"01{rng.randint(520, 989)} {rng.randint(200000, 899999)}"
        )
        paid = rng.choices(["yes", "no"], [75, 25])[0]
        db.execute(
            "INSERT INTO Keepers VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                i,
                f"{FIRST[i - 1]} {lasts[i - 1]}",
                rng.choices(VILLAGES, [5, 4, 3, 3, 2, 2])[0],
                rng.randint(1941, 1984 if i < 7 else 2001),
                joined.isoformat(),
                phone,
                paid,
                mentor,
            ),
        )
    db.executemany('INSERT INTO "Apiary Sites" VALUES (?, ?, ?, ?, ?, ?, ?)', SITES)
    names, hives = rng.sample(QUEENS, 36), []
    for i in range(1, 37):
        site = rng.choices([s[0] for s in SITES], [8, 5, 5, 4, 4, 3, 0, 3])[0]
        up = date(rng.randint(2018, 2024), rng.randint(4, 8), rng.randint(1, 28))
        owners = [k for k in (1, 1, 2, 2, 2, *range(3, 20)) if since[k] < up.isoformat()]
        status = rng.choices(["alive", "dead", "sold"], [26, 7, 3])[0]
        old = [h for h in hives if h[8] < f"{up.year}"]
        split = rng.choice(old)[0] if old and rng.random() < 0.4 else None
        hives.append(
            (
                f"H{i:02d}",
                rng.choices(["National", "WBC", "Langstroth", "Top bar"], [16, 8, 7, 4])[0],
                rng.choice(["white", "green", "blue", "yellow", "unpainted"]),
                rng.choice(owners),
                site,
                rng.choices(["Buckfast", "Carniolan", "black bee"], [15, 12, 8])[0],
                None if rng.random() < 0.14 else names[i - 1],
                min(2025, up.year + rng.randint(0, 3)),
                up.isoformat(),
                status,
                split,
            )
        )
    db.executemany(f'INSERT INTO "Bee Hives" VALUES ({", ".join("?" * 11)})', hives)
    alive = [h for h in hives if h[9] == "alive"]
    day = date(2025, 3, 22)
    for i in range(1, 101):
        day += timedelta(days=rng.choice([0, 1, 1, 2, 3]))
        h = rng.choice(alive[:-2])
        who = h[3] if rng.random() < 0.6 else rng.randint(1, 22)
        late = (day - date(2025, 3, 1)).days / 30
        db.execute(
            'INSERT INTO "Hive Inspections" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
            (
                i,
                h[0],
                day.isoformat(),
                who,
                max(0, int(rng.gauss(8 - abs(late - 3), 2))),
                rng.choices(["yes", "no", "eggs only"], [55, 25, 20])[0],
                rng.choices(["calm", "nervous", "stinging"], [60, 27, 13])[0],
                None if rng.random() < 0.2 else int(rng.expovariate(1 / (3 + 4 * late))),
                rng.choice(NOTES) if rng.random() < 0.55 else None,
            ),
        )
    kinds = {"ORC": "blossom", "HTH": "heather", "LIM": "lime", "RPE": "rape", "WLW": "blossom"}
    n = 0
    for y in (2022, 2023, 2024, 2025):
        for h in hives:
            if h[8] < f"{y}" and rng.random() < (
                0.85 if h[9] == "alive" else 0.4 if y < 2024 else 0
            ):
                kind, n = kinds.get(h[4], "wildflower"), n + 1
                kg = round(max(2.5, rng.gauss(15, 6)), 1)
                db.execute(
                    'INSERT INTO "Honey Harvests" VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
                    (
                        n,
                        h[0],
                        date(y, rng.choice([6, 7, 7, 8, 9]), rng.randint(1, 28)).isoformat(),
                        kind,
                        kg,
                        round(rng.gauss(17.8, 0.9), 1),
                        int(kg / 0.454),
                        {"heather": 9.5, "lime": 7.8, "rape": 5.2}.get(kind, 6.5)
                        + 0.3 * (y - 2022),
                    ),
                )
    for h in hives:
        for y in (2024, 2025):
            if h[9] == "alive" and h[8] < f"{y}" and rng.random() < 0.65:
                what = rng.choice(
                    [("oxalic acid", 1, 2.4), ("thymol strips", 28, 6.9), ("formic pads", 14, 8.25)]
                )
                db.execute(
                    'INSERT INTO "Mite Treatments" VALUES (?, ?, ?, ?, ?)',
                    (
                        h[0],
                        date(
                            y,
                            rng.choice([8, 9, 12]) if y < 2025 else rng.choice([8, 9]),
                            rng.randint(1, 28),
                        ).isoformat(),
                        *what,
                    ),
                )
