"""A small German guest house: guests, rooms, bookings, breakfasts and the outings they join."""

from datetime import date, timedelta

WEIBLICH = """Anna Brigitte Claudia Dorothea Elif Franziska Gisela Heike Ingrid Jana Käthe Lena
Marlene Nadja Özlem Petra Renate Sabine Theresa Ursula Verena Zuzana Agnieszka Chiara
Sophie""".split()
MÄNNLICH = """Andreas Björn Christian Dieter Emre Florian Günter Hans Ivan Jürgen Klaus Luca
Matthias Norbert Oskar Paul Rüdiger Stefan Thomas Uwe Volker Wolfgang Jörg Marek Pieter""".split()
NACHNAMEN = """Müller Schäfer Groß Weiß Köhler Bauer Yılmaz Nowak Schröder Huber Jäger Krause Lange
Möller Neumann Öztürk Pfeiffer Richter Strauß Thiel Vogt Wagner Zimmermann Brückner Döring Eßer
Fuchs Gärtner Heß Kaiser Leitner van_Dijk Rossi Horvat Steiner Bühler Meier Sánchez Novák
Dubois""".split()
STRASSEN = """Hauptstraße Goethestraße Bahnhofstraße Gartenweg Lindenallee Schloßstraße Mühlweg
Kirchplatz Bergstraße Königsallee Weißdornweg Am_Bächle Schulstraße Rosengasse""".split()
ORTE = """80331|München|Deutschland|18;86150|Augsburg|Deutschland|12;70173|Stuttgart|Deutschland|13
50667|Köln|Deutschland|11;20095|Hamburg|Deutschland|9;10115|Berlin|Deutschland|12
90402|Nürnberg|Deutschland|9;40213|Düsseldorf|Deutschland|6;97070|Würzburg|Deutschland|4
1010|Wien|Österreich|6;6020|Innsbruck|Österreich|3;8001|Zürich|Schweiz|6
1012|Amsterdam|Niederlande|5;39100|Bozen|Italien|3;2100|Kopenhagen|Dänemark|2"""
ZIMMER = """1|Enzian|Einzelzimmer|12|Hof|58.00;2|Edelweiß|Doppelzimmer|18|Berge|89.50
3|Almrausch|Doppelzimmer|19|Berge|92.00;4|Gämse|Doppelzimmer|17|Straße|79.00
5|Murmeltier|Einzelzimmer|11|Straße|52.50;6|Bergkristall|Doppelzimmer|21|Berge|98.00
7|Zirbelstube|Familienzimmer|30|Garten|124.00;8|Adlerhorst|Suite|38|Berge|149.00
9|Silberdistel|Doppelzimmer|18|Garten|84.50;10|Steinbock|Familienzimmer|28|Hof|118.00
11|Lärche|Einzelzimmer|13|Garten|61.00;12|Sennhütte|Ferienwohnung|46|Garten|165.00"""
AUSFLÜGE = """Zugspitze mit der Seilbahn|68.50|8|Natur|14;Schloß Neuschwanstein|45.00|6|Kultur|18
Partnachklamm|12.00|4|Wanderung|15;Almwanderung mit Brotzeit|24.50|5|Wanderung|16
Käserei-Führung|16.00|3|Kulinarik|9;Schneeschuhtour|35.00|4|Sport|7
Rafting auf der Loisach|52.00|4|Sport|6;Kutschfahrt|28.00|2|Natur|8
Ausflug nach Oberammergau|22.00|5|Kultur|7"""
BETTEN = {"Einzelzimmer": 1, "Doppelzimmer": 2, "Familienzimmer": 4, "Suite": 2}
WEGE = ["Telefon", "E-Mail", "Webseite", "Buchungsportal", "Vor Ort"]
ANLÄSSE = ["Urlaub", "Wandern", "Familienfeier", "Geschäftlich", "Hochzeitsreise", None]
GETRÄNKE = ["Kaffee", "Tee", "Kakao", "Cappuccino", None]


def zerlege(text):
    "Die Datensätze eines Textes, Felder zwischen Strichen."
    return [satz.split("|") for satz in text.replace("\n", ";").split(";")]


def build(db, rng):
    "Create and fill the tables of the guest house."
    db.executescript("""
    CREATE TABLE Gäste (Gast_Nr INTEGER PRIMARY KEY, Anrede TEXT, Vorname TEXT, Nachname TEXT,
        Geburtsdatum TEXT, Straße TEXT, PLZ TEXT, Ort TEXT, Land TEXT, Telefon TEXT,
        Stammgast TEXT);
    CREATE TABLE Zimmer (Zimmer_Nr INTEGER PRIMARY KEY, Name TEXT, Art TEXT, Betten INTEGER,
        Größe_qm INTEGER, Ausblick TEXT, Preis_pro_Nacht REAL);
    CREATE TABLE Buchungen (Buchung_Nr INTEGER PRIMARY KEY, Gast_Nr INTEGER REFERENCES Gäste,
        Zimmer_Nr INTEGER REFERENCES Zimmer, Gebucht_am TEXT, Anreise TEXT, Abreise TEXT,
        Personen INTEGER, Gesamtpreis REAL, Kurtaxe REAL, Buchungsweg TEXT, Status TEXT,
        Anlass TEXT);
    CREATE TABLE Frühstück (Frühstück_Nr INTEGER PRIMARY KEY,
        Buchung_Nr INTEGER REFERENCES Buchungen, Datum TEXT, Menü TEXT, Getränk TEXT,
        Anzahl INTEGER, Preis REAL);
    CREATE TABLE Ausflüge (Ausflug_Nr INTEGER PRIMARY KEY, Bezeichnung TEXT, Preis_pro_Person REAL,
        Dauer_Stunden INTEGER, Kategorie TEXT);
    CREATE TABLE Teilnahmen (Buchung_Nr INTEGER REFERENCES Buchungen,
        Ausflug_Nr INTEGER REFERENCES Ausflüge, Datum TEXT, Teilnehmer INTEGER,
        PRIMARY KEY (Buchung_Nr, Ausflug_Nr));
    """)
    zimmer = zerlege(ZIMMER)
    for nr, name, art, qm, blick, preis in zimmer:
        zeile = (int(nr), name, art, BETTEN.get(art, 5), int(qm), blick, float(preis))
        db.execute("INSERT INTO Zimmer VALUES (?, ?, ?, ?, ?, ?, ?)", zeile)
    ausflüge = zerlege(AUSFLÜGE)
    for nr, (name, preis, stunden, art, _) in enumerate(ausflüge, 1):
        zeile = (nr, name, float(preis), int(stunden), art)
        db.execute("INSERT INTO Ausflüge VALUES (?, ?, ?, ?, ?)", zeile)

    gäste, namen, orte = [], {}, zerlege(ORTE)
    while len(gäste) < 120:
        frau = rng.random() < 0.52
        name = (rng.choice(WEIBLICH if frau else MÄNNLICH), rng.choice(NACHNAMEN).replace("_", " "))
        if name in namen:
            continue
        namen[name] = nr = len(gäste) + 1
        geboren = date(1941, 3, 1) + timedelta(int(rng.triangular(0, 22500, 11000)))
        plz, ort, land, _ = rng.choices(orte, [int(o[3]) for o in orte])[0]
        straße = f"{rng.choice(STRASSEN).replace('_', ' ')} {int(rng.random() ** 2 * 90) + 1}"
        nummer = f"0{rng.randint(151, 179)} {rng.randint(1000000, 9999999)}"
        telefon = None if rng.random() < 0.14 else nummer
        anrede = "Frau" if frau else "Herr"
        gäste.append((nr, anrede, *name, str(geboren), straße, plz, ort, land, telefon))

    belegt, buchungen, heute = {}, [], date(2024, 3, 10)
    treue = [rng.random() ** 3 + 0.12 for _ in gäste]
    saison = [7, 8, 5, 4, 6, 8, 12, 13, 10, 6, 2, 9]
    while len(buchungen) < 230:
        anreise = date(2023, 1, 2) + timedelta(rng.randrange(500))
        raum = rng.choices(zimmer, [6, 11, 11, 7, 5, 12, 8, 6, 9, 7, 6, 6])[0]
        nächte = rng.choices([1, 2, 3, 4, 5, 7, 10, 14], [8, 22, 20, 12, 9, 17, 6, 4])[0]
        tage = [(raum[0], anreise + timedelta(n)) for n in range(nächte)]
        gebucht = anreise - timedelta(2 + int(rng.expovariate(1 / 45)))
        frei = not any(t in belegt for t in tage) and gebucht <= heute
        if not frei or rng.random() > saison[anreise.month - 1] / 13:
            continue
        personen = min(rng.choice((1, 1, 2, 2, 2, 2, 2, 3, 4, 5)), BETTEN.get(raum[2], 5))
        storniert = rng.random() < 0.08
        belegt.update({} if storniert else dict.fromkeys(tage, True))
        weg = rng.choices(WEGE, [24, 18, 21, 30, 7])[0]
        abreise = anreise + timedelta(nächte)
        status = "abgereist" if abreise <= heute else "bestätigt"
        status = "storniert" if storniert else status
        anlass = rng.choices(ANLÄSSE, [40, 24, 10, 9, 5, 12])[0]
        gast = rng.choices(gäste, treue)[0][0]
        preis, taxe = float(raum[5]) * nächte, round(2.1 * nächte * personen, 2)
        kopf = (gebucht, gast, raum, anreise, abreise, personen)
        buchungen.append((*kopf, preis, taxe, weg, status, anlass))
    buchungen.sort(key=lambda b: (b[0], b[3], b[1]))
    oft = [sum(b[1] == g[0] for b in buchungen) for g in gäste]
    for gast, mal in zip(gäste, oft, strict=True):
        zeile = (*gast, "ja" if mal >= 3 else "nein")
        db.execute("INSERT INTO Gäste VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", zeile)
    menüs = {"Klassisch": 9.5, "Bauernfrühstück": 14.0, "Süß": 8.5, "Vegan": 11.5, "Fitness": 12.5}
    mahlzeiten, teilnahmen = [], []
    for nr, b in enumerate(buchungen, 1):
        zeile = (nr, b[1], int(b[2][0]), str(b[0]), str(b[3]), str(b[4]), *b[5:])
        db.execute("INSERT INTO Buchungen VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", zeile)
        if b[9] != "abgereist":
            continue
        for n in range(1, (b[4] - b[3]).days + 1):
            if rng.random() < 0.42:
                menü = rng.choices(list(menüs), [45, 22, 13, 11, 9])[0]
                trank = rng.choices(GETRÄNKE, [50, 20, 9, 14, 7])[0]
                tag = str(b[3] + timedelta(n))
                mahlzeiten.append((tag, nr, menü, trank, b[5], round(menüs[menü] * b[5], 2)))
        for _ in range(rng.choice((0, 0, 0, 1, 1, 2))):
            tag = b[3] + timedelta(rng.randrange((b[4] - b[3]).days))
            ziel = rng.choices(range(1, 10), [int(a[4]) for a in ausflüge])[0]
            winter = tag.month in (12, 1, 2, 3)
            if (ziel == 6) <= winter and (ziel not in (3, 4, 7) or not winter):
                teilnahmen.append((nr, ziel, str(tag), rng.randint(1, b[5])))
    mahlzeiten.sort()
    for nr, (tag, buchung, *rest) in enumerate(mahlzeiten[:390], 1):
        db.execute("INSERT INTO Frühstück VALUES (?, ?, ?, ?, ?, ?, ?)", (nr, buchung, tag, *rest))
    for zeile in {t[:2]: t for t in teilnahmen}.values():
        db.execute("INSERT INTO Teilnahmen VALUES (?, ?, ?, ?)", zeile)
