"""Weather stations: sites, instruments and their maintenance, daily observations, observers."""

import datetime
import math

FIRST = """Aud Basil Celeste Dimitra Einar Faisal Gwen Haruto Isla Jorge Katya Lorcan
Mbali Nils Orla Pia Quentin Rania Sven Talia Umar Vera Wen Yannick Zelda Bodil Cormac
Delphine Esra Flora Gunnar Hedda""".split()
LAST = """Aasen Brock Calloway Demetriou Elstad Fahmy Griffith Hayashi Innes Jimenez
Kuznets Lacey Mokoena Nordby Ogilvie Palmer Roche Saab Thorsen Ulrich Vance Wallis Xiang
Yates Zeman Bakke Corr Dumas Ergin Foss Gillies Hauge""".split()
STATIONS = """BRK,Brackenfell,upland,412,Kelder,A;HVN,Havenmouth,coastal,6,South,A
KLD,Kelder Bridge,valley,88,Kelder,A;TOR,Tor Head,coastal,54,South,A
MRS,Marsham,lowland,31,East,A;STN,Stanwick Airport,lowland,47,East,A
CRG,Crag Summit,mountain,968,Kelder,A;LNG,Long Reach,lowland,22,East,I
UNI,University Roof,urban,74,South,A;FRN,Fernie Forest,upland,305,Kelder,A
ISL,Isle of Skarra,island,14,South,A;ORC,Orchard Farm,valley,63,East,A
RSV,Calder Reservoir,upland,261,Kelder,I;PRK,City Park,urban,58,South,A"""
KINDS = {  # code: name, unit, price
    "THRM": ("Thermometer", "degC", 145.0),
    "GAUG": ("Rain gauge", "mm", 320.0),
    "ANEM": ("Anemometer", "km/h", 410.5),
    "BARO": ("Barometer", "hPa", 265.0),
    "HYGR": ("Hygrometer", "%", 189.9),
    "PYRN": ("Pyranometer", "W/m2", 780.0),
}
MAKERS = ["Valdis", "Kesto", "Aerolux", "Thornbeck"]
WORK = {  # work code: what, hours, cost, when in a hundred
    "CAL": ("calibration", 2.0, 95, 40),
    "CLN": ("cleaning", 0.5, 20, 30),
    "REP": ("repair", 3.5, 160, 16),
    "BAT": ("battery change", 0.5, 35, 10),
    "RPL": ("replacement", 4.0, 420, 4),
}
TYPES = {  # stn type: warmer, wetter, windier
    "upland": (-1, 1.4, 1.2),
    "coastal": (0.8, 1.0, 1.5),
    "valley": (0.3, 0.9, 0.7),
    "lowland": (0.5, 0.75, 0.9),
    "mountain": (-0.5, 2.0, 2.1),
    "urban": (1.6, 0.75, 0.6),
    "island": (0.6, 1.2, 1.9),
}


def build(db, rng):
    db.executescript("""
        CREATE TABLE stn (stn_id TEXT PRIMARY KEY, stn_name TEXT, stn_type TEXT, region TEXT,
            lat REAL, lon REAL, elev_m INTEGER, open_yr INTEGER, status TEXT);
        CREATE TABLE obsr (obsr_id INTEGER PRIMARY KEY, name TEXT, birth_yr INTEGER, paid TEXT);
        CREATE TABLE stn_obsr (stn_id TEXT REFERENCES stn (stn_id),
            obsr_id INTEGER REFERENCES obsr (obsr_id), role TEXT, since_yr INTEGER,
            PRIMARY KEY (stn_id, obsr_id));
        CREATE TABLE obs_day (stn_id TEXT REFERENCES stn (stn_id), obs_date TEXT, tmax_c REAL,
            tmin_c REAL, prcp_mm REAL, snow_cm INTEGER, wind_kmh REAL, wind_dir TEXT, sky TEXT,
            qc_flag TEXT, PRIMARY KEY (stn_id, obs_date));
        CREATE TABLE instr_type (type_cd TEXT PRIMARY KEY, type_name TEXT, unit TEXT);
        CREATE TABLE instr (instr_id INTEGER PRIMARY KEY, stn_id TEXT REFERENCES stn (stn_id),
            type_cd TEXT REFERENCES instr_type (type_cd), maker TEXT, serial_no TEXT,
            inst_date TEXT, cost REAL, status TEXT);
        CREATE TABLE maint (maint_id INTEGER PRIMARY KEY,
            instr_id INTEGER REFERENCES instr (instr_id), maint_date TEXT, work_cd TEXT,
            tech TEXT, hrs REAL, cost REAL);
    """)
    stations = []
    for line in STATIONS.replace("\n", ";").split(";"):
        code, name, kind, elevation, region, status = line.split(",")
        place = round(54.2 + rng.random() * 1.3, 3), round(-3.4 + rng.random() * 2.1, 3)
        opened = rng.choice([1931, 1954, 1961, 1968, 1977, 1985, 1992, 1999, 2006, 2013])
        stations.append((code, name, kind, region, *place, int(elevation), opened, status))
    db.executemany("INSERT INTO stn VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", stations)

    firsts, lasts = rng.sample(FIRST, 30), rng.sample(LAST, 30)
    for number in range(1, 31):
        born = rng.randint(1944, 2001) if rng.random() < 0.85 else None
        row = (number, f"{firsts[number - 1]} {lasts[number - 1]}", born, rng.choice("NNNY"))
        db.execute("INSERT INTO obsr VALUES (?, ?, ?, ?)", row)
        for station in sorted(rng.sample(stations, rng.choice([1, 2, 3, 3]))):
            since = max(station[7], 2023 - int(22 * rng.random() ** 1.5), (born or 1980) + 18)
            role = rng.choices(["main", "relief", "trainee"], [5, 6, 2])[0]
            db.execute(
                "INSERT INTO stn_obsr VALUES (?, ?, ?, ?)", (station[0], number, role, since)
            )

    # four weeks, one for each season, at every station
    skies = ["clear", "partly cloudy", "overcast", "fog"]
    for start in ["2023-07-10", "2023-10-16", "2024-01-15", "2024-04-15"]:
        front, warm = rng.random(), 0.0
        for step in range(7):
            date = datetime.date.fromisoformat(start) + datetime.timedelta(days=step)
            season = -math.cos((date.timetuple().tm_yday - 25) / 365 * 2 * math.pi)
            front, warm = 0.5 * front + 0.5 * rng.random(), 0.6 * warm + rng.gauss(0, 2)
            dominant = rng.choice(["SW", "W", "SW", "NW", "S", "N", "E"])
            for code, _, kind, _, _, _, elevation, _, status in stations:
                if status == "I" and date.isoformat() > "2024-01-01":
                    continue
                milder, wetter, windier = TYPES[kind]
                high = 12.5 + 7.5 * season + warm + milder - elevation * 0.0065 + rng.gauss(0, 0.8)
                low = high - rng.uniform(2, 6) - 4 * (1 - front) * (1.6 - wetter / 2)
                wet = max(0, front + rng.uniform(-0.5, 0.35) - 0.3)
                rain = round(42 * wet**1.6 * wetter, 1)
                snow = round(rain * 0.8) if high < 2.5 else 0
                wind = round((9 + 26 * front * rng.uniform(0.6, 1.4)) * windier, 1)
                sky = rng.choices(skies, [4 * (rain == 0), 5, 9 * front + rain, 0.5])[0]
                wind = wind if rng.random() > 0.07 else None
                side = dominant if rng.random() < 0.7 else rng.choice(["W", "S", "NW", "NE"])
                flag = rng.choices(["G", "E", "S", None], [82, 6, 4, 8])[0]
                row = (code, date.isoformat(), round(high, 1), round(low, 1), rain, snow, wind)
                row = (*row, side if wind else None, sky, flag)
                marks = ", ".join("?" * len(row))
                db.execute(f"INSERT INTO obs_day VALUES ({marks})", row)

    rows = [(code, name, unit) for code, (name, unit, _) in KINDS.items()]
    db.executemany("INSERT INTO instr_type VALUES (?, ?, ?)", rows)
    techs, number, repairs = ["R. Dunne", "S. Acar", "P. Holt", "L. Moreau"], 0, []
    for station in stations:
        for code, (_, _, price) in KINDS.items():
            if code in ("BARO", "HYGR", "PYRN") and rng.random() < 0.4:
                continue
            number += 1
            built = datetime.date(2011, 3, 1) + datetime.timedelta(days=rng.randint(0, 3900))
            state = rng.choices(["OK", "DUE", "FAULT"], [80, 14, 6])[0]
            state = state if station[8] == "A" else "OFF"
            serial = f"{rng.choice('VKAT')}{rng.randint(10000, 99999)}"
            maker = next(name for name in MAKERS if name[0] == serial[0])
            cost = round(price * rng.uniform(0.85, 1.3), 2)
            row = (number, station[0], code, maker, serial, built.isoformat(), cost, state)
            db.execute("INSERT INTO instr VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            for _ in range(rng.choice([1, 2, 2, 3, 4])):
                last = 700 if station[8] == "A" else 480
                date = datetime.date(2022, 7, 1) + datetime.timedelta(days=rng.randint(0, last))
                work = rng.choices(list(WORK), [w[3] for w in WORK.values()])[0]
                hours = WORK[work][1] + rng.choice([0, 0, 0.5, 1])
                price = round(WORK[work][2] * rng.uniform(0.8, 1.4), 2)
                tech = rng.choices(techs, [6, 4, 3, 1])[0]
                repairs.append((date.isoformat(), number, work, tech, hours, price))
    for number, (date, instrument, *rest) in enumerate(sorted(repairs), 1):
        row = (number, instrument, date, *rest)
        db.execute("INSERT INTO maint VALUES (?, ?, ?, ?, ?, ?, ?)", row)
