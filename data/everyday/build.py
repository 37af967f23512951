"""Build the databases whose tables *.sql declares: python data/everyday/build.py [FOLDER]"""

import random
import sqlite3
import sys
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path


def words(text):
    "What a text lists, separated by commas and line breaks"
    return [word.strip() for word in text.replace("\n", ",").split(",") if word.strip()]


def day(r, start, end):
    "A random date between two"
    return start + timedelta(r.randrange((end - start).days + 1))


def days(r, n, start, end):
    "Random dates in order"
    return sorted(day(r, start, end) for _ in range(n))


def maybe(r, share, value):
    "The value, or nothing in a part of all cases"
    return None if r.random() < share else value


def hiking_club(r):
    "A hill walkers' club: plain names, flags, and two junction tables"
    first = words("""Alan,Bridget,Callum,Dorothy,Edwin,Fiona,Graham,Hazel,Imogen,Jack,Kirsty,Moira
        Nigel,Olive,Patrick,Rhona,Stuart,Tessa,Walter,Yvonne,Douglas,Elspeth,Gareth,Joan""")
    last = words("""Airey,Bainbridge,Coward,Dixon,Fearon,Gill,Hodgson,Irving,Jopling,Kitchin,Relph
        Lancaster,Mossop,Nicholson,Postlethwaite,Sewell,Tyson,Wilson,Youdell,Benson,Harrison""")
    towns = words("Keswick,Penrith,Ambleside,Kendal,Cockermouth,Windermere,Workington,Grasmere")
    peaks = words("""Helvellyn,Skiddaw,Catbells,Great Gable,Scafell Pike,Blencathra,Loughrigg
        Fairfield,Coniston Old Man,Bowfell,Walla Crag,Crinkle Crags,Grasmoor,Causey Pike,Latrigg
        High Street,Pillar,Harter Fell,Wetherlam,Helm Crag,Robinson,Place Fell,Red Screes,Binsey
        Black Combe,Hallin Fell,Glaramara,Dale Head,Haystacks,Seat Sandal,Silver How,Whinlatter""")
    ways = words("round,ridge walk,at dawn,by the old track,circuit,loop,and the tarns")
    today = date(2025, 6, 30)
    members, fees, hikes, sign_ups, gear, loans = [], [], [], [], [], []
    names = r.sample([(a, b) for a in first for b in last], 110)
    for i, (a, b) in enumerate(names, 1):
        kind = r.choices(["adult", "youth", "family", "honorary"], [62, 14, 20, 4])[0]
        youth = kind == "youth"
        born = day(r, date(2008 if youth else 1944, 1, 1), date(2013 if youth else 1999, 12, 31))
        joined = day(r, date(2020 if youth else 2005, 1, 1), date(2025, 3, 31))
        left = maybe(r, 0.86, day(r, max(joined, date(2021, 6, 1)), today))
        email = maybe(r, 0.12, f"{a}.{b}@{r.choice(['fellmail', 'postbox'])}.example".lower())
        phone = maybe(r, 0.2, f"017{r.randint(600, 699)} {r.randint(20000, 89999)}")
        town, aid = r.choice(towns), int(not youth and r.random() < 0.25)
        members.append((i, a, b, born, town, email, phone, joined, left, kind, aid))
        for year in range(max(2023, joined.year), (left or today).year + 1):
            if kind != "honorary":
                due = {"adult": 36, "youth": 12.5, "family": 58}[kind]
                paid = maybe(r, 0.12, max(joined, day(r, date(year, 1, 2), date(year, 6, 28))))
                how = paid and r.choice(["bank transfer", "bank transfer", "cash", "card"])
                fees.append((len(fees) + 1, i, year, due, paid, how))
    titles = [f"{peak} {way}" for peak in peaks for way in r.sample(ways, 2)]
    r.shuffle(titles)
    weeks = sorted(r.sample(range(142), len(titles)))
    for i, (title, week) in enumerate(zip(titles, weeks, strict=True), 1):
        on = date(2023, 1, 7) + timedelta(7 * week)
        there = [m for m in members if m[7] < on and (not m[8] or m[8] > on)]
        leader = r.choice([m for m in there if m[10]])
        km = round(r.uniform(4.5, 24), 1)
        up = int(km * r.randint(35, 80)) // 10 * 10
        grade = "easy" if up < 450 else "moderate" if up < 900 else "hard"
        places, off = maybe(r, 0.4, r.choice([8, 10, 12, 16])), int(r.random() < 0.08)
        hikes.append((i, title, on, leader[0], r.choice(towns), km, up, grade, places, off))
        there.remove(leader)
        for m in sorted(r.sample(there, r.randint(1, 8))):
            came = None if off or on > today else int(r.random() < 0.85)
            booked = max(m[7], on - timedelta(r.randint(1, 30)))
            sign_ups.append((i, m[0], booked, came, int(m[9] != "youth" and r.random() < 0.3)))
    kinds = dict(headlamp=(22, "Petzl Tikka,Petzl Actik,Silva Trail"), helmet=(48, "Petzl Boreo"))
    kinds |= dict(crampons=(95, "Grivel G10,Petzl Leopard"), poles=(40, "Leki Makalu,Leki Cross"))
    kinds |= {"tent": (240, "Vango Banshee,MSR Hubba"), "ice axe": (65, "Grivel G1,DMM Cirque")}
    for i in range(1, 71):
        kind = r.choice(list(kinds))
        price, models = kinds[kind]
        paid, model = round(price * r.uniform(0.8, 1.3), 2), r.choice(words(models))
        state = r.choices(["new", "good", "worn", "broken"], [2, 6, 3, 1])[0]
        gear.append((i, model, kind, day(r, date(2015, 2, 1), date(2024, 11, 30)), paid, state))
    out = {}  # until when a thing is lent
    for i, on in enumerate(days(r, 120, date(2024, 12, 1), date(2025, 6, 25)), 1):
        back = on + timedelta(r.randint(1, 21))
        member = r.choice([m for m in members if m[7] < on and not m[8]])
        item = r.choice([g for g in range(1, 71) if out.get(g, on) <= on])
        out[item] = back
        loans.append((i, item, member[0], on, None if back > today else back))
    return members, hikes, sign_ups, fees, gear, loans


def translator(r):
    "A freelance translator's workbook: sheets without keys, joined by names and numbers"
    cities = words("""Lyon/France/FR,Lille/France/FR,Ghent/Belgium/BE,Bruges/Belgium/BE
        Cologne/Germany/DE,Leipzig/Germany/DE,Utrecht/Netherlands/NL,Turin/Italy/IT
        Geneva/Switzerland/CH,Porto/Portugal/PT""")
    stems = words("""Arcadis,Bellevue,Delvaux,Eurolab,Ferroli,Garnier,Hansen,Imprimo,Jansen,Kessler
        Lumina,Norvex,Orfeo,Quadrant,Rossini,Solvana,Tessera,Umbra,Valmont,Wolters,Xantis,Zephyr""")
    ends = dict(Translations="agency", Verlag="publisher", Legal="law firm", Pharma="company")
    ends |= dict(Machines="company", Museum="museum", Editions="publisher", Tourism="company")
    first = words("Anneke,Bruno,Claire,Dieter,Elena,Fabrice,Giulia,Henk,Jonas,Katrin,Luc,Marta")
    last = words("Aerts,Bianchi,Costa,Dubois,Engel,Fischer,Girard,Hoffmann,Keller,Moreau,Walsh")
    titles = dict(legal="Lease contract,Court ruling,Terms of sale,Power of attorney")
    titles |= dict(medical="Patient leaflet,Trial summary,Device manual")
    titles |= dict(literary="Short story,Essay,Book review")
    titles |= dict(technical="Pump manual,Safety data sheet,Spare parts list,Machine handbook")
    titles |= dict(tourism="Hotel brochure,City guide,Museum labels,Website pages")
    clients, jobs, invoices, spent, end = [], [], [], [], date(2025, 5, 31)
    names = r.sample([f"{a} {b}" for a in stems for b in ends], 64)
    persons = r.sample([(a, b) for a in first for b in last], 64)
    for name, (a, b) in zip(names, persons, strict=True):
        stem, kind = name.split()
        city, country, code = r.choice(cities).split("/")
        vat = maybe(r, 0.2, f"{code}{r.randint(10**8, 10**9 - 1)}")
        rate, terms = r.choice([0.08, 0.09, 0.095, 0.1, 0.12, 0.14]), r.choice([14, 30, 30, 45, 60])
        note = r.choice([*[None] * 5, "pays late", "prefers phone", "send as PDF", "friendly"])
        email = f"{a}.{b}@{stem}.example".lower()
        person = f"{a} {b}"
        clients.append((name, ends[kind], person, email, city, country, rate, terms, vat, note))
    for on in days(r, 230, date(2023, 1, 9), end):
        client, (subject, kinds) = r.choice(clients[:56]), r.choice(list(titles.items()))
        count, rush = r.randint(18, 900) * 10, "Yes" if r.random() < 0.15 else "No"
        due = on + timedelta(max(2, count // 400 + r.randint(-2, 9)))
        done = max(on, due + timedelta(r.choice([-3, -2, -1, -1, 0, 0, 0, 0, 1, 3])))
        done = None if done > end else maybe(r, 0.04, done)
        number = f"J{on:%y}-{1 + sum(job[6].year == on.year for job in jobs):03}"
        pair = r.choices(["FR EN", "DE EN", "NL EN", "IT EN", "FR DE"], [5, 4, 2, 1, 1])[0].split()
        what = r.choice(words(kinds))
        jobs.append((number, client[0], what, subject, *pair, on, due, done, count, rush))
        if done:
            sent = done + timedelta(r.randint(0, 12))
            amount = round(count * client[6] * (1.25 if rush == "Yes" else 1), 2)
            late = r.choice([-9, -4, -1, 0, 0, 3, 8, 25]) + 20 * (client[9] == "pays late")
            until = sent + timedelta(client[7])
            paid = max(sent, until + timedelta(late))
            paid = None if paid > date(2025, 6, 15) else paid
            invoices.append((sent, number, until, amount, paid, max(0, late // 10)))
    invoices = [(f"R{i:04}", x[1], x[0], *x[2:]) for i, x in enumerate(sorted(invoices), 101)]
    shops = words("""Train to client/travel/SNCF/60,Printer paper/office/Bureau Vallée/12
        Dictionary/books/Librairie Decitre/45,Phone bill/phone/Orange/25,Desk lamp/office/IKEA/35
        Translation memory/software/Trados/190,Toner/office/Bureau Vallée/58,Backup/software/OVH/9
        Evening course/training/Institut Français/140,Conference fee/training/SFT/220
        Postage/office/La Poste/7,Lunch with client/meals/Café Bellecour/38""")
    for on in days(r, 130, date(2023, 1, 3), end):
        *what, price = r.choice(shops).split("/")
        paid = round(int(price) * r.uniform(0.8, 1.4), 2)
        how = r.choice(["card", "card", "cash", "transfer"])
        spent.append((on, *what, paid, how, "No" if r.random() < 0.15 else "Yes"))
    return clients, jobs, invoices, spent


def heatsvc(r):
    "A heating engineer's office: abbreviated names, codes, dates as eight digits"
    last = words("""Abbott,Beaudoin,Carpenter,Dufresne,Emmons,Farnham,Goodrich,Hathaway,Jewett
        Kingsley,LaRose,Morse,Nutting,Paquette,Ripley,Stoddard,Thayer,Wheelock""")
    towns = words("""Montpelier/05602,Barre/05641,Stowe/05672,Waterbury/05676,Northfield/05663
        Morrisville/05661,Waitsfield/05673""")
    streets = words("Elm St,Maple Ave,Main St,Mill Rd,School St,Pleasant St,River Rd,Church St")
    firms = words("""Green Mountain Bakery,Maple Leaf Inn,Cold Hollow Dairy,Granite City Dental
        Mad River Brewing,Bridge Street Books,Three Pines Diner,Lamoille Print Shop""")
    public = words("Town Library,Elementary School,Fire Station,Senior Center")
    makes = words("""Buderus/GB142/GAS/30,Buderus/G115/OIL/34,Weil-McLain/Ultra 155/GAS/45
        Burnham/MPO-IQ/OIL/39,Viessmann/Vitodens 100/GAS/26,Mitsubishi/Zubadan/HP/11
        Daikin/Altherma/HP/9,Harman/PB105/PEL/31,Froling/P4/PEL/25""")
    parts = words("""Ignition electrode/burner/12,Oil nozzle/burner/9,Flame sensor/burner/28
        Gasket set/burner/17,Gas valve/burner/145,Circulator pump/hydraulic/160
        Expansion tank/hydraulic/55,Relief valve/hydraulic/24,Zone valve/hydraulic/98
        Air vent/hydraulic/11,Thermostat/control/65,Control board/control/285
        Aquastat/control/130,Outdoor sensor/control/34,Oil filter/filter/14,Air filter/filter/19""")
    names = [*r.sample([f"{b}, {a}" for b in last for a in "ABCDEGHJKLMPRST"], 74), *firms]
    names += [f"{town.split('/')[0]} {what}" for town in towns[:3] for what in public]
    cust, dev, vis, prt, vis_prt = [], [], [], [], []
    for i, name in enumerate(r.sample(names, len(names)), 1):
        kind = "PRIV" if ", " in name else "BUS" if name in firms else "PUB"
        home = next((t for t in towns if name.startswith(t.split("/")[0])), r.choice(towns))
        town, code = home.split("/")
        street, tel = f"{r.randint(2, 240)} {r.choice(streets)}", f"802-555-0{r.randint(100, 199)}"
        contract, since = maybe(r, 0.4, f"K{2000 + i}"), day(r, date(2006, 1, 1), date(2023, 8, 31))
        row = (i, name, kind, street, code, town, maybe(r, 0.15, tel), contract, f"{since:%Y%m%d}")
        cust.append(row)
    owners = [c[0] for c in cust[:88]] + [c[0] for c in r.choices(cust[:88], k=37)]
    for i, owner in enumerate(sorted(owners), 1):
        make, model, fuel, power = r.choice(makes).split("/")
        power, year = int(power) + r.choice([-2.5, 0, 0, 4.5]), r.randint(2009, 2023)
        year -= r.choice([0, 15]) if fuel in ("GAS", "OIL") else 0
        place = r.choice([None, "cellar", "cellar", "garage", "utility room"])
        dev.append((i, owner, make, model, fuel, power, year, place))
    makers = words("Honeywell,Taco,Beckett,Grundfos,Caleffi,Watts")
    for number, make in zip(r.sample(range(1000, 9999), 64), makers * 11, strict=False):
        what, group, price = parts[len(prt) // 4].split("/")
        cost, stock = round(int(price) * r.uniform(0.7, 1.5), 2), r.choice([0, *range(1, 19)])
        prt.append((f"P-{number}", f"{what} {make}", group, make, cost, stock, r.choice([2, 3, 5])))
    texts = [*[None] * 6, "filter very dirty", "needs new pump soon", "dog in yard", "noisy burner"]
    for i, on in enumerate(days(r, 270, date(2023, 9, 1), date(2025, 4, 30)), 1):
        kind = r.choices(["MAINT", "REP", "EMERG", "INSP"], [9, 6, 3, 2])[0]
        state = "OPEN" if on > date(2025, 4, 12) else "CANC" if r.random() < 0.06 else "DONE"
        done = state == "DONE"
        took = r.randint(4, 40) * 5 if done else None
        cost = round(took * 1.6 + (95 if kind == "EMERG" else 40), 2) if done else None
        who, note = r.choice(["JMB", "RLP", "TCS", "AKW"]), r.choice(texts) if done else None
        job = (i, r.randint(1, 122), f"{on:%Y%m%d}", who, kind, state, took, cost, note)
        vis.append(job)
        if done and kind != "INSP":
            for part in sorted(r.sample(prt, r.choice([0, 0, 1, 1, 2]))):
                vis_prt.append((i, part[0], r.choice([1, 1, 1, 2, 3])))
    return cust, dev, vis, prt, vis_prt


def build(folder):
    "Write databases/NAME/NAME.sqlite, always with the same content."
    for make in (hiking_club, translator, heatsvc):
        name = make.__name__
        path = Path(folder, "databases", name, f"{name}.sqlite")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as db:
            db.executescript(Path(__file__).with_name(f"{name}.sql").read_text(encoding="utf-8"))
            found = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
            for (table,), rows in zip(found, make(random.Random(name)), strict=True):
                rows = [[str(x) if isinstance(x, date) else x for x in row] for row in rows]
                marks = ", ".join("?" * len(rows[0]))
                db.executemany(f'INSERT INTO "{table}" VALUES ({marks})', rows)
            db.commit()
            db.execute("VACUUM")


if __name__ == "__main__":
    build(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent)
