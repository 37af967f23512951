"""Eine Volkshochschule: Fachbereiche, Dozenten, Räume, Abendkurse, Teilnehmer und Anmeldungen."""

from datetime import date, timedelta

FRAUEN = """Hannelore Sibylle Jördis Waltraud Käthe Ayşe Mechthild Ulrike Dörte Svenja Roswitha
Friederike Gudrun Antje Hildegard Leonie Margarethe Nele""".split()
MAENNER = """Jürgen Götz Volker Burkhard Sönke Eberhard Lothar Björn Mehmet Rüdiger Torsten Günther
Henning Ansgar Detlef Konrad Valentin Wolfram""".split()
NACH = """Müllerschön Bäumler Krögermann Löffelholz Schürholz Grünewaldt Öhlschläger Wüstefeld
Haferkamp Strößner Kühnapfel Zänker Fährmann Ruppelt Dinkelacker Hölzenbein Nußbaumer Jäckle
Vögelin Tümmler Bräsicke Rübsam Seltmann Yıldırım Pöhlke Quast Morgenroth Eichhörn""".split()
ORTE = ["Neustädtchen", "Großwinkel", "Kötzau", "Überlauf", "Hinterbach", "Mühlgrund"]
FACH = [
    ("SPR", "Sprachen", "R. Amsel"),
    ("GES", "Gesundheit", "K. Dohle"),
    ("KUN", "Kunst und Werken", "R. Amsel"),
    ("EDV", "Computer", "P. Fink"),
    ("KÜC", "Küche", "K. Dohle"),
    ("POL", "Politik und Geschichte", None),
]
RAEUME = [
    (1, "Alte Schmiede", "Hauptstraße 4", 14, 62.0, 0, "nein"),
    (2, "Lehrküche", "Hauptstraße 4", 12, 48.5, 0, "ja"),
    (3, "PC-Raum", "Bürgermeister-Köhl-Weg 9", 16, 55.0, 1, "ja"),
    (4, "Spiegelsaal", "Bürgermeister-Köhl-Weg 9", 25, 110.0, 2, "nein"),
    (5, "Zimmer 12", "Am Lindenplatz 1", 18, 46.0, 1, "ja"),
    (6, "Zimmer 14", "Am Lindenplatz 1", 22, 58.0, 1, "ja"),
    (7, "Dachatelier", "Am Lindenplatz 1", 10, 39.5, 3, "nein"),
    (8, "Aula", "Am Lindenplatz 1", 80, 190.0, 0, "ja"),
]
KURSE = """SPR,Spanisch A1,5;SPR,Spanisch A2,6;SPR,Spanisch B1,5;SPR,Italienisch A1,6;
SPR,Italienisch A2,5;
SPR,Schwedisch A1,5;SPR,Deutsch am Abend,6;SPR,Türkisch A1,6;SPR,Türkisch A2,6;
SPR,Englisch für die Reise,5;
GES,Rückenschule,4;GES,Yoga am Dienstag,4;GES,Qigong,4;GES,Autogenes Training,6;GES,Tanzen ab 60,4;
KUN,Aquarell für Anfänger,7;KUN,Aquarell Aufbaukurs,7;KUN,Töpfern,1;KUN,Nähen,1;
KUN,Körbe flechten,1;
EDV,Tabellen leicht gemacht,3;EDV,Tabellen für Könner,3;EDV,Fotos am Rechner,3;EDV,Sicher im Netz,3;
KÜC,Brot backen,2;KÜC,Vegan kochen,2;KÜC,Klöße und Knödel,2;KÜC,Käse selbst machen,2;
POL,Unsere Stadt im Mittelalter,8;POL,Kommunalpolitik verstehen,5;POL,Ahnenforschung,5"""
VOR = {
    "Spanisch A2": "Spanisch A1",
    "Spanisch B1": "Spanisch A2",
    "Italienisch A2": "Italienisch A1",
    "Türkisch A2": "Türkisch A1",
    "Aquarell Aufbaukurs": "Aquarell für Anfänger",
    "Tabellen für Könner": "Tabellen leicht gemacht",
}
TAGE = ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag"]


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` a random number generator."
    db.executescript("""
CREATE TABLE Fachbereiche (Kürzel TEXT PRIMARY KEY, Bezeichnung TEXT, Leitung TEXT);
CREATE TABLE Dozenten (DozentNr INTEGER PRIMARY KEY, Vorname TEXT, Nachname TEXT, Geschlecht TEXT,
  Geburtsjahr INTEGER, tätig_seit TEXT, Stundenhonorar REAL, \
Vertretung INTEGER REFERENCES Dozenten(DozentNr));
CREATE TABLE Räume (RaumNr INTEGER PRIMARY KEY, Raumname TEXT, Straße TEXT, Plätze INTEGER, \
Fläche_qm REAL,
  Stockwerk INTEGER, Beamer TEXT);
CREATE TABLE Kurse (KursNr INTEGER PRIMARY KEY, Titel TEXT, \
Fachbereich TEXT REFERENCES Fachbereiche(Kürzel),
  DozentNr INTEGER REFERENCES Dozenten(DozentNr), RaumNr INTEGER REFERENCES Räume(RaumNr), \
Wochentag TEXT,
  Uhrzeit TEXT, Beginn TEXT, Abende INTEGER, Gebühr REAL, Höchstzahl INTEGER, Zustand TEXT,
  Vorkurs INTEGER REFERENCES Kurse(KursNr));
CREATE TABLE Teilnehmer (TeilnehmerNr INTEGER PRIMARY KEY, Vorname TEXT, Nachname TEXT, \
Geschlecht TEXT,
  Geburtsdatum TEXT, Wohnort TEXT, Telefon TEXT, Ermäßigung TEXT, Kunde_seit TEXT);
CREATE TABLE Anmeldungen (KursNr INTEGER REFERENCES Kurse(KursNr),
  TeilnehmerNr INTEGER REFERENCES Teilnehmer(TeilnehmerNr), angemeldet_am TEXT, bezahlt TEXT,
  Zahlungsart TEXT, Fehlabende INTEGER, Bewertung INTEGER, PRIMARY KEY (KursNr, TeilnehmerNr));
""")
    db.executemany("INSERT INTO Fachbereiche VALUES (?, ?, ?)", FACH)
    nach, vor = rng.sample(NACH, 16), {"w": rng.sample(FRAUEN, 16), "m": rng.sample(MAENNER, 16)}
    stand_ins = []
    for i in range(1, 17):
        sex, born = "w" if rng.random() < 0.55 else "m", rng.randint(1950, 1994)
        seit = date(rng.randint(max(2001, born + 25), 2024), rng.choice([2, 9]), rng.randint(1, 28))
        stand_in = rng.choice([d for d in range(1, 17) if d != i]) if rng.random() < 0.65 else None
        stand_ins.append((stand_in, i))
        db.execute(
            "INSERT INTO Dozenten VALUES (?, ?, ?, ?, ?, ?, ?, NULL)",
            (
                i,
                vor[sex][i - 1],
                nach[i - 1],
                sex,
                born,
                seit.isoformat(),
                rng.choice([24.0, 26.5, 28.0, 30.0, 32.5, 35.0]),
            ),
        )
    db.executemany("UPDATE Dozenten SET Vertretung = ? WHERE DozentNr = ?", stand_ins)
    db.executemany("INSERT INTO Räume VALUES (?, ?, ?, ?, ?, ?, ?)", RAEUME)
    kurse, nummern = [], {}
    for i, k in enumerate(KURSE.split(";"), 1):
        fach, titel, raum = k.strip().split(",")
        nr = 1000 + 10 * i + rng.randint(0, 7)
        nummern[titel] = nr
        tag = 1 if "Dienstag" in titel else rng.randint(0, 4)
        beginn = date(2025, 9, 15) + timedelta(days=tag + 7 * rng.randint(0, 7))
        abende = (
            rng.choice([3, 4])
            if fach == "KÜC"
            else rng.choice([8, 10, 12, 15])
            if fach in ("SPR", "GES")
            else rng.choice([5, 6, 8])
        )
        platz = RAEUME[int(raum) - 1][3]
        kurse.append(
            (
                nr,
                titel,
                fach,
                rng.choice([1, 2, 2, *range(3, 15)]),
                int(raum),
                TAGE[tag],
                rng.choice(["17:30", "18:00", "18:30", "19:00", "19:45"]),
                beginn.isoformat(),
                abende,
                round(abende * rng.choice([6.4, 7.2, 8.5, 9.1]) + (14 if fach == "KÜC" else 0), 2),
                min(platz, rng.choice([8, 10, 12, 15, 20])),
                rng.choices(["findet statt", "abgesagt", "verschoben"], [26, 3, 2])[0],
                nummern.get(VOR.get(titel)),
            )
        )
    db.executemany(f"INSERT INTO Kurse VALUES ({', '.join('?' * 13)})", kurse)
    leute = rng.sample(
        [(v, n, g) for n in NACH for g, l in (("w", FRAUEN), ("m", MAENNER[::2])) for v in l], 62
    )
    for i, (v, n, g) in enumerate(leute, 1):
        born = date(rng.randint(1942, 2006), rng.randint(1, 12), rng.randint(1, 28))
        erm = (
            "Rentner"
            if born.year < 1960 and rng.random() < 0.7
            else "Student"
            if born.year > 1998 and rng.random() < 0.7
            else None
        )
        db.execute(
            "INSERT INTO Teilnehmer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                i,
                v,
                n,
                g,
                born.isoformat(),
                rng.choices(ORTE, [9, 5, 4, 3, 2, 2])[0],
                None
                if rng.random() < 0.16
                else f"0{rng.randint(3520, 9890)} {rng.randint(10000, 99999)}",
                erm,
                date(
                    rng.randint(max(2012, born.year + 16), 2025),
                    rng.choice([1, 2, 8]),
                    rng.randint(1, 28),
                ).isoformat(),
            ),
        )
    paare = set()
    for k in kurse:
        if k[1] == "Kommunalpolitik verstehen":
            continue
        for t in rng.sample(range(1, 59), min(k[10], rng.choice([2, 3, 4, 4, 5, 6, 7]))):
            paare.add((k[0], t, k[7], k[11]))
    for nr, t, beginn, zustand in sorted(paare):
        tag = date.fromisoformat(beginn) - timedelta(days=rng.randint(2, 60))
        da = zustand == "findet statt"
        db.execute(
            "INSERT INTO Anmeldungen VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                nr,
                t,
                tag.isoformat(),
                rng.choices(["ja", "nein"], [82, 18])[0],
                rng.choices(["Lastschrift", "bar", "Überweisung"], [55, 15, 30])[0],
                rng.choices([0, 1, 2, 3, 4], [45, 25, 15, 10, 5])[0] if da else None,
                rng.choices([1, 2, 3, 4, 5], [35, 35, 18, 8, 4])[0]
                if da and rng.random() < 0.7
                else None,
            ),
        )
