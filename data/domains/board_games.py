"""A board game club: its games, players, sessions, scores, loans and who owns what."""

import datetime

FIRST = """Ben Priyanka Oskar Lena Jamal Kirsty Tomas Yuki Alba Duncan Farah Mikkel
Rosie Andrei Hana Callum Ines Tobias Zara Neil Chiamaka Felix Beth Ravi Sunniva Georgia
Karim Polly Emil Xin Marcus Freya Dario Nell Samir Ottilie Joel Anouk Theo Bridget""".split()
LAST = """Okonkwo Lindgren Mehta Baxter Novak Tanaka Rourke Cortez Hyde Abbasi
Petersen Vance Ionescu Kimura McBride Santos Weber Malik Pike Chukwu Sandberg Holloway
Reddy Haugen Costa Amari Finch Moretti Zhang Ellwood Doyle Kaplan Vidal Birch Nasser
Keane Strand Laurent Osborne Quigley""".split()
TITLES = """Harbour Lords|economic|2-5|90|2.9|2014|34.50;Moss and Ember|family|2-4|45|1.8|2019|27.99
Nine Lanterns|cooperative|1-4|60|2.4|2017|32.00;Salt Road|economic|3-5|120|3.4|2011|45.00
Crow's Bargain|party|4-8|20|1.1|2020|14.99;Tin Soldiers|wargame|2-2|150|3.7|1998|54.00
Orchard Thieves|family|2-5|30|1.3|2016|18.50;The Last Observatory|cooperative|1-5|90|3.0|2021|49.99
Glassblowers|strategy|2-4|75|2.7|2018|39.99;Word Ferry|party|3-10|25|1.2|2013|16.99
Iron Delta|wargame|2-4|180|4.1|2007|69.00;Peppercorn|card game|2-6|20|1.4|2015|9.99
Mapmaker's Guild|strategy|2-4|80|2.8|2012|36.00;Fox and Lantern|card game|2-2|30|1.6|2017|12.50
Canal Boats|economic|2-4|100|3.1|2010|42.00;Midnight Bakery|family|2-6|40|1.5|2022|24.99
Seven Bridges|abstract|2-2|25|2.0|2005|22.00;Hexfall|abstract|2-4|35|2.2|2019|26.00
Storm Wardens|cooperative|2-4|75|2.6|2020|38.50;Bluff Street|party|4-9|30|1.3|2018|17.99
Kingdom of Thorns|strategy|2-5|140|3.6|2016|59.99;Snail Derby|family|2-6|25|1.0|2008|15.00
Copper and Coal|economic|2-4|110|3.5|2009|44.00;Night Train|cooperative|1-6|50|2.1|2021|29.99
Two Rivers|abstract|2-2|40|2.3|2001|19.50;Dragon's Ledger|card game|2-5|45|2.0|2021|18.99
Starling Fleet|strategy|3-6|240|4.3|2006|79.99;Charades Unplugged|party|4-12|30|1.0|2003|11.99
The Quiet Vault|cooperative|2-4|60|2.5|2018|31.00;Beekeepers|strategy|1-4|60|2.3|2020|35.99"""


def day(start, days):
    return (datetime.date.fromisoformat(start) + datetime.timedelta(days=days)).isoformat()


def build(db, rng):
    db.executescript("""
        CREATE TABLE games (id INTEGER PRIMARY KEY, title TEXT, category TEXT,
            min_players INTEGER, max_players INTEGER, play_minutes INTEGER, weight REAL,
            year INTEGER, price REAL, condition TEXT);
        CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT, nickname TEXT, birth_year INTEGER,
            joined TEXT, membership TEXT);
        CREATE TABLE sessions (id INTEGER PRIMARY KEY, game_id INTEGER REFERENCES games (id),
            host_id INTEGER REFERENCES players (id), date TEXT, location TEXT, minutes INTEGER);
        CREATE TABLE scores (session_id INTEGER REFERENCES sessions (id),
            player_id INTEGER REFERENCES players (id), points INTEGER, place INTEGER,
            PRIMARY KEY (session_id, player_id));
        CREATE TABLE loans (id INTEGER PRIMARY KEY, game_id INTEGER REFERENCES games (id),
            player_id INTEGER REFERENCES players (id), borrowed TEXT, due TEXT, returned TEXT,
            deposit REAL);
        CREATE TABLE ratings (player_id INTEGER REFERENCES players (id),
            game_id INTEGER REFERENCES games (id), stars INTEGER, PRIMARY KEY (player_id, game_id));
    """)
    games = []
    for number, line in enumerate(TITLES.replace("\n", ";").split(";"), 1):
        title, category, count, minutes, weight, year, price = line.split("|")
        least, most = map(int, count.split("-"))
        state = ["like new", "good", "worn", "missing pieces"]
        state = rng.choices(state, [7, 14, 6, 2])[0]
        row = (number, title, category, least, most, int(minutes), float(weight), int(year))
        games.append((*row, float(price), state))
    db.executemany("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", games)

    names = rng.sample([f"{first} {last}" for first in FIRST for last in LAST], 66)
    nicknames = """Dice Goblin;Meeple;Captain;The Shark;Red Pawn;Banker;Doc;Lucky;Sheepdog;Turtle
Professor;Hex;Rulebook;Joker;Six;Magpie;Slow Roll;Boots;Wizard;Duchess""".replace("\n", ";").split(
        ";"
    )
    players = []
    for number, joined in enumerate(sorted(rng.sample(range(1900), 66)), 1):
        nickname = nicknames.pop() if nicknames and rng.random() < 0.3 else None
        kind = rng.choices(["full", "student", "guest", "family"], [30, 14, 12, 10])[0]
        born = (
            rng.randint(1997, 2005) if kind == "student" else int(2000 - 42 * rng.random() ** 1.3)
        )
        born = born if rng.random() < 0.9 else None
        row = (number, names[number - 1], nickname, born, day("2018-09-06", joined), kind)
        players.append(row)
    db.executemany("INSERT INTO players VALUES (?, ?, ?, ?, ?, ?)", players)

    liking = [rng.random() ** 2 + 0.05 for _ in games]
    skill = [rng.gauss(0, 0.12) for _ in players]
    keen = [rng.random() ** 2 + 0.05 for _ in players]

    def present(date, count):
        "Some players who had joined by then, the keen ones more often."
        there = [p for p in players if p[4] <= date]
        there.sort(key=lambda p: rng.random() ** (1 / keen[p[0] - 1]), reverse=True)
        return [p[0] for p in there[:count]]

    scale = {"economic": 90, "strategy": 75, "family": 40, "wargame": 20, "abstract": 25}
    for number, evening in enumerate(sorted(rng.choices(range(130), k=95)), 1):
        game = rng.choices(games, liking)[0]
        date = day("2022-01-06", 7 * evening)
        people = present(date, rng.randint(max(2, game[3]), min(game[4], 6)))
        places = ["Library Cafe", "Community Hall", "The Crown", "host's home"]
        place = rng.choices(places, [9, 6, 3, 4])[0]
        took = 5 * round(game[5] * rng.uniform(0.75, 1.5) / 5) if rng.random() < 0.9 else None
        row = (number, game[0], people[0], date, place, took)
        db.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?)", row)
        if game[2] == "cooperative":  # all win or lose together
            points = dict.fromkeys(people, rng.choice([0, 12, 15, 18, 21]))
        else:
            usual = scale.get(game[2], 30)
            points = {p: round(usual * (1 + rng.gauss(skill[p - 1], 0.2))) for p in people}
        for person in people:
            rank = 1 + sum(other > points[person] for other in points.values())
            row = (number, person, max(0, points[person]), rank)
            db.execute("INSERT INTO scores VALUES (?, ?, ?, ?)", row)

    free = {game[0]: "" for game in games}
    number = 0
    for start in sorted(rng.choices(range(880), k=110)):
        date = day("2022-01-06", start)
        game = rng.choices(games, liking)[0]
        if free[game[0]] > date:
            continue
        number += 1
        back = day(date, rng.choice([5, 7, 10, 14, 14, 14, 20, 31]))
        free[game[0]] = back
        back = back if back <= "2024-05-30" and rng.random() < 0.97 else None
        free[game[0]] = back or "9999"
        deposit = 5.0 if game[8] < 30 else 10.0
        row = (number, game[0], present(date, 1)[0], date, day(date, 14), back, deposit)
        db.execute("INSERT INTO loans VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    for game in games:
        for person in sorted(present("2025", min(30, 2 + int(18 * liking[game[0] - 1])))):
            stars = rng.choices([1, 2, 3, 4, 5], [1, 2, 5, 7, 4])[0]
            if liking[game[0] - 1] < 0.3:
                stars = max(1, stars - 1)
            db.execute("INSERT INTO ratings VALUES (?, ?, ?)", (person, game[0], stars))
