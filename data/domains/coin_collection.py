"""A coin collector's catalogue: coins, their countries, dealers, purchases and appraisals."""

from datetime import date, timedelta

FIRST = """Gerald Yvonne Milos Adebayo Ingeborg Francesca Harold Tamsin Piet Ruben Agnes Lionel
Keiko Bruno Mabel Sergei Dolores Nigel Farida Otto Winifred Amit Colette Stellan Rosalind Juan Hilda
Tadeusz Maureen Enzo""".split()
LAST = """Pemberton Lacroix Vukovic Ogunleye Sorensen Galli Whitlock Penrose Devries Mizrahi Thwaite
Bouchard Hayashi Fontana Crabtree Volkov Cortez Haines Rahmani Lindner Applegate Desai Marchetti
Ahlberg Fairfax Navarro Brandt Wisniewski Tully Kessler""".split()
# code, name, continent, currency
COUNTRIES = [
    ("GB", "United Kingdom", "Europe", "pound"),
    ("US", "United States", "North America", "dollar"),
    ("DE", "Germany", "Europe", "mark"),
    ("FR", "France", "Europe", "franc"),
    ("IT", "Italy", "Europe", "lira"),
    ("AT", "Austria", "Europe", "schilling"),
    ("CH", "Switzerland", "Europe", "franc"),
    ("MX", "Mexico", "North America", "peso"),
    ("IN", "India", "Asia", "rupee"),
    ("JP", "Japan", "Asia", "yen"),
    ("ZA", "South Africa", "Africa", "rand"),
    ("AU", "Australia", "Oceania", "dollar"),
]
GRADES = [
    ("G", "Good", 6, "heavily worn, design visible"),
    ("F", "Fine", 12, "moderate even wear"),
    ("VF", "Very Fine", 25, "light wear on high points"),
    ("XF", "Extremely Fine", 45, "very slight wear"),
    ("AU", "About Uncirculated", 55, "traces of wear"),
    ("UNC", "Uncirculated", 62, "no wear, some bag marks"),
    ("BU", "Brilliant Uncirculated", 66, "full mint lustre"),
    ("PF", "Proof", 68, "struck for collectors"),
]
FACTOR = {"G": 0.4, "F": 0.7, "VF": 1, "XF": 1.5, "AU": 2, "UNC": 2.8, "BU": 3.6, "PF": 4.5}
# country, name, metal, weight, diameter, first year, last year, value in VF
TYPES = """GB,Sovereign,gold,7.99,22.1,1871,1932,480;GB,Half Crown,silver,14.14,32.3,1893,1946,14;
GB,Penny,bronze,9.45,30.8,1860,1967,3;GB,Florin,silver,11.31,28.5,1887,1946,9;
GB,Threepence,brass,6.8,21.0,1937,1967,2;GB,Fifty Pence,cupronickel,8.0,27.3,1997,2019,2;
US,Morgan Dollar,silver,26.73,38.1,1878,1904,45;US,Peace Dollar,silver,26.73,38.1,1921,1935,38;
US,Buffalo Nickel,cupronickel,5.0,21.2,1913,1938,4;US,Wheat Cent,bronze,3.11,19.0,1909,1958,1;
US,Mercury Dime,silver,2.5,17.9,1916,1945,5;US,Walking Liberty Half,silver,12.5,30.6,1916,1947,18;
US,Double Eagle,gold,33.44,34.0,1877,1932,1980;DE,5 Mark,silver,11.2,29.0,1951,1974,11;
DE,20 Mark,gold,7.97,22.5,1874,1913,440;DE,2 Pfennig,copper,3.33,20.0,1873,1916,2;
DE,10 Mark Olympia,silver,15.5,32.5,1972,1972,10;FR,20 Francs Rooster,gold,6.45,21.0,1899,1914,370;
FR,5 Francs Sower,silver,12.0,29.0,1960,1969,9;FR,10 Centimes,bronze,10.0,30.0,1870,1921,3;
FR,1 Franc,silver,5.0,23.0,1898,1920,5;IT,500 Lire Caravelle,silver,11.0,29.0,1958,1967,9;
IT,20 Lire,gold,6.45,21.0,1861,1897,380;IT,10 Centesimi,bronze,10.0,30.0,1893,1911,4;
AT,Ducat,gold,3.49,20.0,1872,1914,215;AT,25 Schilling,silver,13.0,30.0,1955,1973,10;
AT,Maria Theresa Thaler,silver,28.07,39.5,1780,1780,24;CH,5 Francs,silver,15.0,31.0,1931,1969,14;
CH,20 Francs Vreneli,gold,6.45,21.0,1897,1949,385;CH,2 Rappen,bronze,2.5,20.0,1850,1941,3;
MX,Libertad,silver,31.1,40.0,1982,2020,34;MX,Un Peso,silver,16.66,34.0,1920,1945,11;
IN,One Rupee,silver,11.66,30.5,1862,1919,16;IN,Half Anna,copper,12.95,31.0,1862,1877,8;
IN,Quarter Anna,copper,6.4,25.4,1862,1942,3;JP,1 Yen,silver,26.96,38.1,1874,1914,75;
JP,100 Yen Phoenix,silver,4.8,22.6,1957,1958,6;ZA,Krugerrand,gold,33.93,32.8,1967,2020,2010;
ZA,5 Shillings,silver,28.28,38.8,1947,1964,17;AU,Florin,silver,11.31,28.5,1910,1963,10;
AU,Kookaburra,silver,31.1,40.6,1992,2020,33;AU,Penny,bronze,9.4,30.8,1911,1964,3"""
HOUSES = """Pemberton Coins,London;Galerie Lacroix,Paris;Numis Graz,Graz;Old Mint Trading,Bristol;
Liberty Coin Exchange,Boston;Münzkabinett Lindner,Munich;Sovereign House,London;
Helvetia Numis,Zurich;The Coin Attic,Norwich;Moneta Antica,Milan;eBay seller goldfinch77,online;
Penny Lane Fair,Liverpool"""


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` a random number generator."
    db.executescript("""
CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT, continent TEXT, currency TEXT);
CREATE TABLE grade (code TEXT PRIMARY KEY, name TEXT, sheldon INTEGER, description TEXT);
CREATE TABLE dealer (id INTEGER PRIMARY KEY, name TEXT, city TEXT, kind TEXT, trusted TEXT);
CREATE TABLE coin (id INTEGER PRIMARY KEY, name TEXT, country_code TEXT REFERENCES country(code),
  year INTEGER, metal TEXT, weight_g REAL, diameter_mm REAL, mint_mark TEXT,
  grade_code TEXT REFERENCES grade(code), rarity TEXT, location TEXT, for_swap TEXT);
CREATE TABLE purchase (id INTEGER PRIMARY KEY, dealer_id INTEGER REFERENCES dealer(id),
  date TEXT, payment TEXT, total REAL);
CREATE TABLE purchase_coin (purchase_id INTEGER REFERENCES purchase(id),
  coin_id INTEGER REFERENCES coin(id), price REAL, PRIMARY KEY (purchase_id, coin_id));
CREATE TABLE appraisal (id INTEGER PRIMARY KEY, coin_id INTEGER REFERENCES coin(id), date TEXT,
  appraiser TEXT, value REAL, authentic TEXT);
""")
    db.executemany("INSERT INTO country VALUES (?, ?, ?, ?)", COUNTRIES)
    db.executemany("INSERT INTO grade VALUES (?, ?, ?, ?)", GRADES)
    dealers = []
    for i, line in enumerate(HOUSES.replace("\n", " ").split(";"), 1):
        nm, city = line.strip().split(",")
        kind = {"online": "online", "Liverpool": "coin fair"}.get(city) or rng.choice(
            ["shop", "shop", "auction house"]
        )
        dealers.append((i, nm, city, kind, "no" if i in (9, 11) else "yes"))
    db.executemany("INSERT INTO dealer VALUES (?, ?, ?, ?, ?)", dealers)
    types = [t.strip().split(",") for t in TYPES.replace("\n", " ").split(";")]
    common = [0.35 if t[2] == "gold" else 1.2 if t[0] in ("GB", "US") else 0.9 for t in types]
    marks = {"US": ["S", "D", "P", "CC", "O"], "DE": ["A", "D", "F", "G", "J"], "GB": ["H", "KN"]}
    coins, worth, places = [], {}, ["album 1", "album 2", "cabinet", "shoe box"]
    for i in range(1, 231):
        cc, nm, metal, grams, mm, first, last, value = rng.choices(types, common)[0]
        year = rng.randint(int(first), int(last))
        mark = rng.choice([None, *marks[cc]]) if cc in ("US", "DE") else None
        mark = rng.choice(marks["GB"]) if nm == "Penny" and year in (1912, 1918, 1919) else mark
        odds = [6, 14, 30, 24, 10, 9, 4, 0] if year < 1970 else [0, 0, 3, 8, 10, 30, 30, 19]
        grade = rng.choices(list(FACTOR), odds)[0]
        rare = rng.choices(["common", "scarce", "rare", "very rare"], [66, 22, 9, 3])[0]
        times = {"common": 1, "scarce": 1.6, "rare": 3.5, "very rare": 8}[rare]
        bonus = FACTOR[grade] if metal != "gold" else 1 + (FACTOR[grade] - 1) * 0.12
        times = times if metal != "gold" else 1 + (times - 1) * 0.2
        worth[i] = float(value) * bonus * times
        where = "bank safe" if worth[i] > 150 else rng.choices(places, [34, 26, 22, 18])[0]
        where = None if rng.random() < 0.06 else where
        grams = round(float(grams) * rng.uniform(0.985, 1.002), 2)
        swap = "yes" if worth[i] < 60 and rng.random() < 0.2 else "no"
        row = (nm, cc, year, metal, grams, float(mm), mark, grade, rare, where, swap)
        coins.append((i, *row))
    db.executemany(f"INSERT INTO coin VALUES ({', '.join('?' * 12)})", coins)
    left, day, rows, lines = [c[0] for c in coins], date(2009, 5, 9), [], []
    while left and len(rows) < 120:
        day += timedelta(days=int(rng.expovariate(1 / 46)) + 1)
        n, total = len(rows) + 1, 0
        for c in [left.pop(0) for _ in range(min(len(left), rng.choice([1, 1, 2, 2, 2, 3, 5])))]:
            price = worth[c] * rng.uniform(0.6, 1.15) * (0.55 + (day.year - 2009) * 0.028)
            lines.append((n, c, max(0.5, round(price * 2) / 2)))
            total += lines[-1][2]
        who = rng.choices(dealers, [20, 8, 9, 16, 7, 10, 14, 6, 9, 5, 12, 11])[0]
        pay = "PayPal" if who[3] == "online" else rng.choice(["cash", "cash", "card", "transfer"])
        rows.append((n, who[0], day.isoformat(), pay, total))
    db.executemany("INSERT INTO purchase VALUES (?, ?, ?, ?, ?)", rows)
    db.executemany("INSERT INTO purchase_coin VALUES (?, ?, ?)", lines)
    bought = {c: date.fromisoformat(rows[n - 1][2]) for n, c, _ in lines}
    people = [f"{rng.choice(FIRST)} {x}" for x in rng.sample(LAST, 5)]
    rows = []
    for c, day in bought.items():
        if rng.random() > (0.9 if worth[c] > 40 else 0.35):
            continue
        for _ in range(rng.choice([1, 1, 2])):
            day = min(day + timedelta(days=rng.randint(20, 800)), date(2024, 11, 15))
            who = rng.choices(people, [10, 6, 4, 2, 1])[0]
            value = round(worth[c] * (0.55 + (day.year - 2009) * 0.028) * rng.uniform(0.9, 1.15))
            real = rng.choices(["yes", "doubtful", "no"], [94, 4, 2])[0]
            rows.append((day.isoformat(), c, who, 0 if real == "no" else max(1, value), real))
    rows = [(i, r[1], r[0], *r[2:]) for i, r in enumerate(sorted(rows), 1)]
    db.executemany("INSERT INTO appraisal VALUES (?, ?, ?, ?, ?, ?)", rows)
