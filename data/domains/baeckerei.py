"""Eine Bäckerei: Filialen, Produkte, Mitarbeiter, Kunden, ihre Bestellungen und die Verkäufe."""

from datetime import date, timedelta

VORNAMEN = """Anneliese Jürgen Sabine Mehmet Katharina Björn Ursula Tobias Aylin Heinrich Jörg Petra
Milena Günther Lea Ahmet Franziska Wolfgang Svenja Dimitrios Käthe Moritz Renate Paweł Hannelore
Finn Zeynep Marlies Rüdiger Sofia Karl Birgit Luca Edeltraud Jonas Nadja Uwe Frieda""".split()
NACHNAMEN = """Müller Schröder Yıldız Böhm Kaufmann Jäger Weiß Petrović Lehmann Grünwald Öztürk
Hofmann Vogt Schäfer Nowak Brandt Köhler Rossi Zimmermann Bäumer Papadakis Krause Fröhlich Seidel
Demir Hübner Lindemann Strauß Wegener Kowalczyk Möller Reinhardt Thiele Bauer Dörfler
Ulrich""".split()
FILIALEN = """Stammhaus,Marktplatz 3,Altstadt,1952,145,24;
Am Bahnhof,Bahnhofstraße 17,Südstadt,1978,60,8;Lindenallee,Lindenallee 42,Westend,1991,85,14;
Rathauspassage,Rathausgasse 5,Altstadt,2004,70,18;Mühlenviertel,Mühlweg 11,Nordstadt,2012,95,30;
Klinikum,Röntgenstraße 2,Südstadt,2018,40,;Gewerbepark,Daimlerring 8,Ostheim,2021,110,36"""
# Name, Kategorie, Preis, Gewicht, Größe, vegan
PRODUKTE = """Bauernbrot,Brot,4.50,1000,groß,ja;Roggenmischbrot,Brot,4.20,750,mittel,ja;
Dinkelvollkornbrot,Brot,5.20,750,mittel,ja;Krustenbrot,Brot,4.80,1000,groß,ja;
Sonnenblumenbrot,Brot,4.90,500,klein,ja;Nussbrot,Brot,5.50,500,klein,ja;
Kürbiskernbrot,Brot,5.30,750,mittel,ja;Toastbrot,Brot,3.20,500,klein,nein;
Zwiebelbrot,Brot,4.60,750,mittel,ja;Pumpernickel,Brot,3.90,500,klein,ja;
Ciabatta,Brot,3.50,350,klein,ja;Baguette,Brot,2.60,250,mittel,ja;Brötchen,Brötchen,0.45,60,klein,ja;
Mohnbrötchen,Brötchen,0.65,65,klein,ja;Sesambrötchen,Brötchen,0.65,65,klein,ja;
Roggenbrötchen,Brötchen,0.75,75,klein,ja;Kürbiskernbrötchen,Brötchen,0.90,80,mittel,ja;
Laugenbrötchen,Brötchen,0.95,80,mittel,ja;Dinkelbrötchen,Brötchen,0.95,75,mittel,ja;
Milchbrötchen,Brötchen,0.90,70,mittel,nein;Käsebrötchen,Brötchen,1.60,95,groß,nein;
Laugenbrezel,Laugengebäck,0.95,85,mittel,ja;Butterbrezel,Laugengebäck,1.90,100,mittel,nein;
Laugenstange,Laugengebäck,1.10,90,mittel,ja;Käselaugenstange,Laugengebäck,2.20,120,groß,nein;
Laugenknoten,Laugengebäck,1.20,90,mittel,ja;Croissant,Feingebäck,1.80,65,mittel,nein;
Schokocroissant,Feingebäck,2.20,80,mittel,nein;Mandelhörnchen,Feingebäck,2.60,90,mittel,nein;
Nussschnecke,Feingebäck,2.40,110,groß,nein;Zimtschnecke,Feingebäck,2.50,110,groß,nein;
Mohnschnecke,Feingebäck,2.40,110,groß,nein;Quarktasche,Feingebäck,2.20,100,mittel,nein;
Apfeltasche,Feingebäck,2.20,100,mittel,ja;Berliner,Feingebäck,1.70,75,mittel,nein;
Rosinenbrötchen,Feingebäck,1.30,80,mittel,nein;Streuseltaler,Feingebäck,2.30,120,groß,nein;
Franzbrötchen,Feingebäck,2.30,95,mittel,nein;Amerikaner,Feingebäck,1.90,90,mittel,nein;
Bienenstich,Kuchen,3.20,140,mittel,nein;Käsekuchen,Kuchen,3.40,160,groß,nein;
Apfelkuchen,Kuchen,2.90,150,mittel,nein;Pflaumenkuchen,Kuchen,2.90,150,mittel,ja;
Donauwelle,Kuchen,3.10,140,mittel,nein;Marmorkuchen,Kuchen,2.60,110,mittel,nein;
Mohnkuchen,Kuchen,3.10,140,mittel,nein;Streuselkuchen,Kuchen,2.50,120,mittel,ja;
Möhrenkuchen,Kuchen,3.30,130,mittel,nein;Rhabarberkuchen,Kuchen,3.00,150,mittel,nein;
Schwarzwälder Kirschtorte,Torte,42.00,2200,groß,nein;Nusstorte,Torte,36.00,1600,mittel,nein;
Erdbeertorte,Torte,34.00,1800,mittel,nein;Sachertorte,Torte,38.00,1500,mittel,nein;
Himbeersahnetorte,Torte,39.50,2000,groß,nein;Frankfurter Kranz,Torte,36.50,1700,mittel,nein;
Schokotorte vegan,Torte,37.50,1600,mittel,ja;Geburtstagstorte,Torte,48.00,2500,groß,nein;
Butterplätzchen,Plätzchen,6.50,250,klein,nein;Vanillekipferl,Plätzchen,7.50,250,klein,nein;
Zimtsterne,Plätzchen,7.90,250,klein,nein;Lebkuchen,Plätzchen,6.90,300,mittel,nein;
Haferkekse,Plätzchen,5.90,250,klein,ja;Dominosteine,Plätzchen,5.50,200,klein,nein"""
FIRMEN = ["Café", "Gasthof", "Hotel", "Bistro", "Kantine"]
ORTE = ["Sonne", "am Park", "Drei Linden", "Krone", "Seeblick", "Anker", "Zur Post"]
BERUFE = ["Verkäufer", "Bäcker", "Konditor", "Azubi", "Fahrer"]
GEWICHT = [9, 6, 4, 5, 3, 3, 3]
BELIEBT = {"Brot": 5, "Brötchen": 9, "Laugengebäck": 6, "Feingebäck": 5, "Kuchen": 3}


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` a random number generator."
    db.executescript("""
CREATE TABLE Filialen (Filial_Nr INTEGER PRIMARY KEY, Name TEXT, Straße TEXT, Stadtteil TEXT,
  Eröffnet INTEGER, Fläche_qm INTEGER, Sitzplätze INTEGER);
CREATE TABLE Mitarbeiter (Personal_Nr INTEGER PRIMARY KEY, Vorname TEXT, Nachname TEXT,
  Beruf TEXT, Filial_Nr INTEGER REFERENCES Filialen(Filial_Nr), Eintritt TEXT, Stundenlohn REAL,
  Wochenstunden INTEGER, Vorgesetzter INTEGER REFERENCES Mitarbeiter(Personal_Nr));
CREATE TABLE Produkte (Produkt_Nr INTEGER PRIMARY KEY, Bezeichnung TEXT, Kategorie TEXT,
  Preis REAL, Gewicht_g INTEGER, Größe TEXT, Vegan TEXT, Verfügbar TEXT);
CREATE TABLE Kunden (Kunden_Nr INTEGER PRIMARY KEY, Name TEXT, Kundenart TEXT, Telefon TEXT,
  Kunde_seit TEXT, Stammfiliale INTEGER REFERENCES Filialen(Filial_Nr));
CREATE TABLE Bestellungen (Bestell_Nr INTEGER PRIMARY KEY,
  Kunden_Nr INTEGER REFERENCES Kunden(Kunden_Nr), Filial_Nr INTEGER REFERENCES Filialen(Filial_Nr),
  Bestellt_am TEXT, Abholung_am TEXT, Status TEXT, Anzahlung REAL);
CREATE TABLE Bestellpositionen (Bestell_Nr INTEGER REFERENCES Bestellungen(Bestell_Nr),
  Produkt_Nr INTEGER REFERENCES Produkte(Produkt_Nr), Stück INTEGER, Einzelpreis REAL,
  PRIMARY KEY (Bestell_Nr, Produkt_Nr));
CREATE TABLE Verkäufe (Verkaufs_Nr INTEGER PRIMARY KEY, Datum TEXT,
  Filial_Nr INTEGER REFERENCES Filialen(Filial_Nr),
  Produkt_Nr INTEGER REFERENCES Produkte(Produkt_Nr),
  Verkäufer INTEGER REFERENCES Mitarbeiter(Personal_Nr), Stück INTEGER, Betrag REAL, Zahlart TEXT);
""")
    rows = [[x.strip() or None for x in f.split(",")] for f in FILIALEN.split(";")]
    db.executemany("INSERT INTO Filialen VALUES (NULL, ?, ?, ?, ?, ?, ?)", rows)
    leute = rng.sample([(v, n) for v in VORNAMEN for n in NACHNAMEN], 66 + 90)
    team, im_laden = [], {}
    for i, (v, n) in enumerate(leute[:66], 1):
        filiale = max(1, i - 1) if i < 9 else rng.choices(range(1, 8), GEWICHT)[0]
        beruf = rng.choices(BERUFE, [30, 13, 7, 6, 4])[0]
        filiale = 1 if beruf in ("Bäcker", "Konditor", "Fahrer") and i > 8 else filiale
        beruf = "Geschäftsführer" if i == 1 else "Filialleiter" if i < 9 else beruf
        jahre = rng.choice([0, 1, 1, 2, 2, 3]) if beruf == "Azubi" else rng.randint(0, 28)
        eintritt = date(2024, 8, 1) - timedelta(days=365 * jahre + rng.choice([0, 31, 92, 153]))
        lohn = {"Azubi": 7.2, "Verkäufer": 13.4, "Filialleiter": 18.5}.get(beruf, 16.5)
        lohn = 32.0 if i == 1 else lohn + (0 if beruf == "Azubi" else round(jahre * 0.12, 1))
        stunden = rng.choice([20, 25, 30, 38]) if beruf == "Verkäufer" else 40
        chef = None if i == 1 else 1 if i < 9 else 1 + filiale
        team.append((i, v, n, beruf, filiale, eintritt.isoformat(), round(lohn, 2), stunden, chef))
        if beruf in ("Verkäufer", "Filialleiter"):
            im_laden.setdefault(filiale, []).append(i)
    db.executemany("INSERT INTO Mitarbeiter VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", team)
    ware = [p.strip().split(",") for p in PRODUKTE.replace("\n", "").split(";")]
    ware = [(b, k, float(p), int(g), s, v) for b, k, p, g, s, v in ware]
    da = ["ja", "nein", "nur samstags"]
    rows = [(*w, rng.choices(da, [84, 8, 8])[0]) for w in ware]
    db.executemany("INSERT INTO Produkte VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)", rows)
    kunden = []
    haus = rng.sample([f"{a} {b}" for a in FIRMEN for b in ORTE], 30)
    for i, (v, n) in enumerate(leute[66:], 1):
        art = rng.choices(["privat", "Gastronomie", "Firma", "Verein"], [62, 10, 9, 5])[0]
        name = f"{v} {n}" if art == "privat" else haus.pop()
        name = {"Firma": f"{v[0]}. {n} GmbH", "Verein": f"Förderverein {v} {n}"}.get(art, name)
        tel = f"07{rng.randint(31, 89)}/{rng.randint(20000, 99999)}"
        tel = None if rng.random() < 0.14 else tel
        seit = (date(2016, 3, 1) + timedelta(days=rng.randint(0, 2800))).isoformat()
        kunden.append((i, name, art, tel, seit, rng.choices(range(1, 8), GEWICHT)[0]))
    db.executemany("INSERT INTO Kunden VALUES (?, ?, ?, ?, ?, ?)", kunden)
    beliebt = [BELIEBT.get(w[1], 1.2) * rng.uniform(0.4, 1.6) for w in ware]
    bestellungen, positionen, heute = [], [], date(2025, 5, 17)
    for i in range(1, 131):
        k = min(rng.choice(kunden), rng.choice(kunden))
        tag = date(2024, 11, 4) + timedelta(days=i * 3 // 2 + rng.randint(0, 2))
        holt = tag + timedelta(days=rng.choice([1, 1, 2, 2, 3, 5, 7]))
        status = rng.choices(["abgeholt", "geliefert", "storniert"], [70, 22, 8])[0]
        status = "offen" if holt > heute else status
        summe, viel = 0, 1 if k[2] == "privat" else 4
        wahl = beliebt if viel > 1 else [1] * 49 + [12] * (len(ware) - 49)
        wahl = rng.choices(range(len(ware)), wahl, k=rng.choice([1, 2, 3, 4]))
        for p in sorted(dict.fromkeys(wahl)):
            stück = rng.choice([5, 10, 10, 20] if ware[p][1] == "Brötchen" else [1, 2, 3]) * viel
            stück = 1 if ware[p][1] == "Torte" else stück
            positionen.append((i, p + 1, stück, ware[p][2]))
            summe += stück * ware[p][2]
        vorab = rng.choices([float(round(summe * 0.3)) if summe > 35 else 0, None], [92, 8])[0]
        bestellungen.append((i, k[0], k[5], tag.isoformat(), holt.isoformat(), status, vorab))
    db.executemany("INSERT INTO Bestellungen VALUES (?, ?, ?, ?, ?, ?, ?)", bestellungen)
    db.executemany("INSERT INTO Bestellpositionen VALUES (?, ?, ?, ?)", positionen)
    for i, t in enumerate(sorted(rng.randint(0, 20) for _ in range(380)), 1):
        f, p = rng.choices(range(1, 8), GEWICHT)[0], rng.choices(range(len(ware)), beliebt)[0]
        viele = [2, 3, 4, 5, 6, 8, 10] if ware[p][1] == "Brötchen" else [1, 1, 1, 2, 2, 3]
        n = 1 if ware[p][1] in ("Brot", "Torte") else rng.choice(viele)
        art = rng.choices(["bar", "EC-Karte", "Kundenkarte", "Gutschein"], [58, 30, 9, 3])[0]
        row = (i, (date(2025, 4, 26) + timedelta(days=t)).isoformat(), f, p + 1)
        row += (rng.choice(im_laden[f]), n, round(n * ware[p][2], 2), art)
        db.execute("INSERT INTO Verkäufe VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
