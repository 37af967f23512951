"""An amateur tennis series: players, clubs, courts, events, entries and every match played."""

import datetime
import math

WOMEN = """Clara Ayaka Monika Teresa Ifeoma Greta Paloma Shreya Ellen Milena Sabine
Jelena Fiona Camille Nour Dorota Keiko Lydia Wanjiru Astrid Carmen Mina""".split()
MEN = """Edgar Mateus Radek Hiroshi Leon Tendai Alistair Bruno Nikhil Jonas Pietro
Emre Gustav Rory Chidi Laurent Milos Anton Samuel Wei Hector Ivo""".split()
LAST = """Brandt Nakamura Dvorak Pires Obi Halvorsen Castillo Rao Whitaker Jankovic
Keller Markov Ferrari Lemaire Sayed Wrona Ueno Carver Kamau Nyberg Ortega Park Thorne
Vasquez Blom Cermak Fontaine Gupta Hartmann Irwin Juarez Kovac Lund Moyo Nagy Orlov
Pollard Ryan Stahl Tran""".split()
CLUBS = """Parkside LTC,Meadowbank;Old Mill Tennis Club,Stoneleigh;Riverbank Racquets,Meadowbank
University Courts,Ashford Hill;Westfield LTC,Westfield;Lakeside Club,Lakemoor"""
COURTS = """Centre,1,grass,N,450;Court 1,1,grass,N,120;Court 2,1,hard,Y,60;Mill A,2,clay,N,200
Mill B,2,clay,Y,40;River 1,3,hard,Y,150;River 2,3,hard,N,50;Campus Hall,4,carpet,Y,90
Campus 2,4,hard,Y,30;West Show Court,5,clay,N,180;West 2,5,clay,N,40;Lake 1,6,hard,Y,100"""
EVENTS = """Meadowbank Spring Open,1,2022-04-23,16,18;Riverbank Hard Court Cup,3,2022-06-11,16,20
Westfield Clay Classic,5,2022-08-20,8,15;Campus Indoor Trophy,4,2022-11-12,8,12
Meadowbank Spring Open,1,2023-04-22,16,20;Old Mill Shield,2,2023-06-03,8,15
Riverbank Hard Court Cup,3,2023-07-15,16,22;Campus Indoor Trophy,4,2023-11-11,8,12
Meadowbank Spring Open,1,2024-04-20,16,22;Lakeside Masters,6,2024-06-08,8,25"""
DRAWS = ["Men's Singles", "Women's Singles"]
ROUNDS = {16: "Round of 16", 8: "Quarterfinal", 4: "Semifinal", 2: "Final"}


def day(start, days):
    return (datetime.date.fromisoformat(start) + datetime.timedelta(days=days)).isoformat()


def build(db, rng):
    db.executescript("""
        CREATE TABLE clubs (club_id INTEGER PRIMARY KEY, club_name TEXT, town TEXT);
        CREATE TABLE players (player_id INTEGER PRIMARY KEY, full_name TEXT, gender TEXT,
            birth_date TEXT, height_cm INTEGER, hand TEXT, rating REAL,
            club_id INTEGER REFERENCES clubs (club_id));
        CREATE TABLE courts (court_id INTEGER PRIMARY KEY, court_name TEXT,
            club_id INTEGER REFERENCES clubs (club_id), surface TEXT, floodlights TEXT,
            seats INTEGER);
        CREATE TABLE events (event_id INTEGER PRIMARY KEY, event_name TEXT, year INTEGER,
            draw TEXT, club_id INTEGER REFERENCES clubs (club_id), start_date TEXT,
            draw_size INTEGER, entry_fee REAL, prize_money INTEGER);
        CREATE TABLE entries (event_id INTEGER REFERENCES events (event_id),
            player_id INTEGER REFERENCES players (player_id), seed INTEGER, paid TEXT,
            PRIMARY KEY (event_id, player_id));
        CREATE TABLE matches (match_id INTEGER PRIMARY KEY,
            event_id INTEGER REFERENCES events (event_id), round TEXT, match_date TEXT,
            court_id INTEGER REFERENCES courts (court_id),
            winner_id INTEGER REFERENCES players (player_id),
            loser_id INTEGER REFERENCES players (player_id),
            winner_sets INTEGER, loser_sets INTEGER, score TEXT, minutes INTEGER, outcome TEXT);
    """)
    for number, line in enumerate(CLUBS.replace("\n", ";").split(";"), 1):
        db.execute("INSERT INTO clubs VALUES (?, ?, ?)", (number, *line.split(",")))

    names = [(f"{a} {b}", "F") for a in WOMEN for b in LAST]
    names = rng.sample(names, 32) + rng.sample([(f"{a} {b}", "M") for a in MEN for b in LAST], 40)
    rng.shuffle(names)
    players = {}
    for number, (name, gender) in enumerate(names, 1):
        born = day("1968-05-14", int(14200 * rng.random() ** 0.6))
        height = round(rng.gauss(181 if gender == "M" else 168, 6.5))
        height = height if rng.random() < 0.88 else None
        hand = rng.choices(["right", "left"], [85, 15])[0]
        rating = round(min(9.5, max(3.0, rng.gauss(6, 1.4))), 1)
        club = rng.choices([1, 2, 3, 4, 5, 6, None], [8, 5, 5, 4, 3, 2, 3])[0]
        players[number] = (name, gender, born, height, hand, rating, club)
        row = (number, *players[number])
        db.execute("INSERT INTO players VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    courts = {}
    for number, line in enumerate(COURTS.replace("\n", ";").split(";"), 1):
        name, club, surface, lights, seats = line.split(",")
        courts.setdefault(int(club), []).append(number)
        row = (number, name, int(club), surface, lights, int(seats))
        db.execute("INSERT INTO courts VALUES (?, ?, ?, ?, ?, ?)", row)

    def games_won():
        games = rng.choices([0, 1, 2, 3, 4, 5, 6], [2, 4, 7, 9, 9, 4, 5])[0]
        return (7 if games >= 5 else 6), games

    def play(a, b):
        "Winner, loser, sets of both, score, minutes and outcome."
        if rng.random() > 1 / (1 + math.exp(1.3 * (players[b][5] - players[a][5]))):
            a, b = b, a
        outcome = rng.choices(["completed", "retired", "walkover"], [93, 5, 2])[0]
        if outcome == "walkover":
            return a, b, 0, 0, None, None, outcome
        sets = [games_won(), games_won()]
        score = [f"{x}-{y}" for x, y in sets]
        if outcome == "retired":
            score[1] = f"{rng.randint(2, 5)}-{rng.randint(0, 4)}"
            return a, b, 1, 0, " ".join(score) + " ret.", rng.randint(35, 70), outcome
        lost = int(rng.random() < 0.38)
        if lost:
            x, y = games_won()
            sets.insert(rng.randint(0, 1), (y, x))
        score = [f"{x}-{y}" for x, y in sets]
        minutes = round(sum(x + y for x, y in sets) * rng.uniform(3.4, 5.1))
        return a, b, 2, lost, " ".join(score), minutes, outcome

    match = number = 0
    lines = [line.split(",") for line in EVENTS.replace("\n", ";").split(";")]
    for name, club, start, size, fee in lines:
        for draw in DRAWS:
            number += 1
            size, purse = int(size), int(size) * int(fee) // 2 // 10 * 10
            row = (name, int(start[:4]), draw, int(club), start, size, float(fee), purse)
            db.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (number, *row))
            pool = [p for p in players if players[p][1] == draw[0].replace("W", "F")]
            field = rng.sample(pool, size)
            ranked = sorted(field, key=lambda p: -players[p][5])[: size // 4]
            for player in sorted(field):
                seed = ranked.index(player) + 1 if player in ranked else None
                paid = rng.choices(["Y", "N"], [93, 7])[0]
                db.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", (number, player, seed, paid))
            # the seeds go to different parts of the draw
            order = [p for p in field if p not in ranked]
            for place in range(len(ranked)):
                order.insert(place * 4, ranked[[0, 3, 2, 1][place] if size == 16 else place])
            date = 0
            while len(order) > 1:
                winners = []
                for a, b in zip(order[::2], order[1::2]):
                    match += 1
                    result = play(a, b)
                    winners.append(result[0])
                    court = courts[int(club)]
                    court = court[0] if len(order) == 2 else rng.choice(court)
                    row = (match, number, ROUNDS[len(order)], day(start, date), court, *result)
                    marks = ", ".join("?" * len(row))
                    db.execute(f"INSERT INTO matches VALUES ({marks})", row)
                order, date = winners, date + rng.choice([1, 1, 6])
