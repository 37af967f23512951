"""A podcast studio: shows and hosts, the episodes with their guests, and the ads sold in them."""

from datetime import date, timedelta

FIRST = """Abena Bodhi Celeste Damian Eshe Florian Gwen Hamza Isadora Jules Kaya Leopold Maren
Nadeem Odette Pascal Qiana Rohan Sabrina Tobias Uma Valentin Willa Xander Yasmin Zachary Anders
Bianca Cyrus Delphine Emeka Freya Gustavo Hana Idris Juno Kamala Lorenzo Mireille Niko""".split()
LAST = """Abara Blackwood Castellano Dhillon Eriksson Fontaine Grady Hakimi Ishikawa Jimenez Kaplan
Lindholm Mahoney Ndiaye Oyelowo Petrov Quintero Rasmussen Stavros Takahashi Underhill Vaughn Weiss
Xu Yoder Zamora Alvarez Bhatt Cordero Desmond Elliot Franco Goldberg Holloway Iyer Jansen Kone
Lowell Mistry Novak""".split()
SHOWS = """Crumbs|Food|1|34|Weekly|2023-03-07|14200; Dead Ends|True
crime|2|52|Weekly|2022-11-10|38500; Orbit Talk|Science|3|41|Biweekly|2022-12-13|9100; The Long
Bench|Sports|4|63|Weekly|2023-01-09|11700; Money for
Nothing|Business|5|28|Biweekly|2022-11-22|7600; Small Hours|Comedy|6|47|Weekly|2023-05-05|21300;
Paper Trails|History|7|55|Monthly|2020-11-01|6400; Second
Draft|Books|8|38|Biweekly|2021-09-15|3900; Patch Notes|Technology|3|44|Weekly|2022-08-04|8800;
Field Recordings|Science|9|22|Monthly|2022-04-03|2700"""
TITLES = """The Sourdough Wars| Who Invented Brunch?| A Love Letter to Lentils| Inside a Noodle
Factory| The Last Cheese Cave| Salt| Street Food at Midnight| Why Airline Meals Taste Odd| Pickle
Season| Grandma's Secret Menu| The Price of Vanilla| Bread Without Borders| Hot Sauce Confidential|
Burnt # The Motel on Route 9| Missing in Marlow Bay| The Forged Will| Three Keys| The Lighthouse
Tapes| Cold River| The Wrong Suitcase| Nobody Called Her Back| The Art Dealer| A Fire in December|
The Quiet Neighbour| The Vanishing Yacht| Case 4471| The Second Passport # Black Holes for
Breakfast| The Moon Has Weather| Talking to Octopuses| How Glue Works| Comet Hunters| The Sleep
Lab| Plastic Eaters| Is Time Real?| Volcano Season| A Brief History of Zero| Mars on a Budget| Why
We Yawn| The Mosquito Question| Deep Ice # The Goalkeeper's Curse| Marathon in the Desert| Referees
Anonymous| The Greatest Own Goal| Two Left Feet| Benchwarmers| Curling Is Hard| The Transfer
Window| Training at Altitude| Underdogs| Extra Time| The Coach Who Quit| Wheelchair Rugby| Silver
Medals # The Coupon King| Renting Everything| How Pawnshops Work| The Lemonade Stand| Tipping
Point| Bubble| Payday| The Family Firm| Selling Ice| Side Hustles| A Very Small Bank| Bankrupt
Twice # Haunted Carpool| The Worst Wedding Speech| My Landlord Is a Parrot| Gym Fails| Small Talk
Olympics| Lost Luggage| Dating a Magician| The Office Fridge| Karaoke Regrets| Autocorrect| Bad
Haircuts| The Group Chat| Airport Floor| Mystery Smell # The Great Stink| Maps That Lied| The Spice
Clerk| A Town Under Water| Love Letters of 1848| The Typewriter| Plague Doctors| The Ghost Railway|
Forgotten Queens| The Tulip Ledger # Unreliable Narrators| First Sentences| The Translator's Desk|
Banned in Boston| Endings| Poets at Work| The Slush Pile| Ghostwriters| Reading in Prison| Cover
Stories| The Worst Review # Passwords Are Dead| Who Owns Your Fridge?| The Big Outage| Robot
Vacuums| Open Source, Closed Doors| Captcha| Blue Screen| The Last Dial-Up| Phones for Toddlers|
Fake Voices| Dark Mode| Version 2.0 # Dawn Chorus| Night in the Marsh| Under the Ice| Beehive| Rain
on Tin| The Old Oak| Tide Pools| Bats"""
SPONSORS = """MattressMoon|Home|2021|CPM; Brewbox Coffee|Food|2020|CPM;
Ledgerly|Software|2021|Flat; NordicSocks|Clothing|2022|CPM; GreenFork Meals|Food|2021|CPM; SafeKey
VPN|Software|2020|CPM; Tailwag Pets|Home|2022|Flat; Inkwell Pens|Education|2023|Flat;
Hushbuds|Electronics|2021|CPM; PedalPal Bikes|Travel|2022|CPM; Lingofox|Education|2020|CPM; Kettle
& Leaf|Food|2022|CPM; Snugglet|Home|2023|CPM; Pennywise Bank|Finance|2021|Flat; TrailMix
Travel|Travel|2023|Flat; Stampede Shoes|Clothing|2023|CPM; WebNest|Software|2021|CPM; Bright
Skincare|Beauty|2022|CPM"""
FIELDS = "Chef Author Journalist Scientist Athlete Comedian Detective Historian Engineer".split()
ROLES = ["Interview", "Panelist", "Co-host", "Caller"]


def split(text):
    "The records of a text, fields between bars."
    return [record.split("|") for record in " ".join(text.split()).split("; ")]


def build(db, rng):
    "Create and fill the studio's tables."
    db.executescript("""
    CREATE TABLE Hosts (HostId INTEGER PRIMARY KEY, Name TEXT, Email TEXT, HiredOn TEXT,
        FeePerEpisode REAL, Employment TEXT);
    CREATE TABLE Shows (ShowId INTEGER PRIMARY KEY, Title TEXT, Genre TEXT,
        HostId INTEGER REFERENCES Hosts, Schedule TEXT, LaunchedOn TEXT, Status TEXT);
    CREATE TABLE Episodes (EpisodeId INTEGER PRIMARY KEY, ShowId INTEGER REFERENCES Shows,
        Season INTEGER, Number INTEGER, Title TEXT, PublishedOn TEXT, Minutes INTEGER,
        Downloads INTEGER, Rating REAL, Explicit TEXT, FollowUpOf INTEGER REFERENCES Episodes);
    CREATE TABLE Guests (GuestId INTEGER PRIMARY KEY, Name TEXT, Profession TEXT, Country TEXT,
        Followers INTEGER);
    CREATE TABLE EpisodeGuests (EpisodeId INTEGER REFERENCES Episodes,
        GuestId INTEGER REFERENCES Guests, Role TEXT, Remote TEXT,
        PRIMARY KEY (EpisodeId, GuestId));
    CREATE TABLE Sponsors (SponsorId INTEGER PRIMARY KEY, Name TEXT, Industry TEXT,
        SinceYear INTEGER, Billing TEXT);
    CREATE TABLE AdReads (AdReadId INTEGER PRIMARY KEY, EpisodeId INTEGER REFERENCES Episodes,
        SponsorId INTEGER REFERENCES Sponsors, Position TEXT, Seconds INTEGER, Price REAL);
    """)
    names = rng.sample([f"{first} {last}" for first in FIRST for last in LAST], 109)
    for i, name in enumerate(names[:9], 1):
        mail = f"{name.lower().replace(' ', '.')}@loudroom.example"
        hired = date(2019, 5, 6) + timedelta(rng.randrange(480))
        row = (i, name, mail, str(hired), rng.choice((150.0, 180.0, 225.0, 260.0, 310.0)))
        row += (rng.choice(("Staff", "Staff", "Freelance")),)
        db.execute("INSERT INTO Hosts VALUES (?, ?, ?, ?, ?, ?)", row)
    guests, lands = [], ["USA", "UK", "Canada", "Nigeria", "India", "Germany", "Brazil"]
    for i, name in enumerate(names[9:], 1):
        work = rng.choices(FIELDS, [14, 18, 15, 14, 9, 12, 5, 8, 9])[0]
        land = rng.choices(lands, [42, 20, 11, 7, 8, 6, 5])[0]
        fans = None if rng.random() < 0.13 else int(10 ** rng.gauss(3.9, 0.7)) // 10 * 10
        guests.append((i, name, work, None if rng.random() < 0.06 else land, fans))
    db.executemany("INSERT INTO Guests VALUES (?, ?, ?, ?, ?)", guests)
    sponsors = [(i, a, b, int(c), d) for i, (a, b, c, d) in enumerate(split(SPONSORS), 1)]
    db.executemany("INSERT INTO Sponsors VALUES (?, ?, ?, ?, ?)", sponsors)

    gaps, episodes = {"Weekly": 7, "Biweekly": 14, "Monthly": 28}, []
    shows, lists = split(SHOWS), " ".join(TITLES.split()).split(" # ")
    for i, (title, genre, host, minutes, rhythm, launch, fans) in enumerate(shows, 1):
        day, mine, number, season = date.fromisoformat(launch), [], 0, 1
        for topic in lists[i - 1].split("| "):
            older = [e for e in mine if e[6] is None]
            titles = [(topic, None)]
            if older and rng.random() < 0.26:
                old = rng.choice(older)
                suffix = rng.choice(("Part Two", "Revisited", "Your Letters", "The Update"))
                if f"{old[3]}: {suffix}" not in [e[3] for e in mine]:
                    titles.append((f"{old[3]}: {suffix}", old))
            for name, before in titles:
                number += 1
                if number > 5:
                    season, number = season + 1, 1
                    day += timedelta(rng.choice((112, 140, 168, 210, 280)))
                length = max(12, int(rng.gauss(int(minutes), 7)))
                loads = int(int(fans) * rng.lognormvariate(0, 0.35) * (1.2 if before else 1))
                mine.append((i, season, number, name, day, length, before, loads, genre))
                day += timedelta(gaps[rhythm])
        status = ("Ended", "On hiatus", "Running")[(str(day) > "2023-05") + (day.year > 2023)]
        row = (i, title, genre, int(host), rhythm, launch, status)
        db.execute("INSERT INTO Shows VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        episodes += mine
    episodes.sort(key=lambda e: (e[4], e[0]))
    place = {(e[0], e[3]): i for i, e in enumerate(episodes, 1)}
    ads, adult = [], {"True crime": 0.6, "Comedy": 0.5, "Sports": 0.15}
    for i, (show, season, number, name, day, length, old, loads, genre) in enumerate(episodes, 1):
        rating = None if rng.random() < 0.1 else round(min(5, rng.gauss(4.2, 0.35)), 1)
        rude = "Y" if rng.random() < adult.get(genre, 0.04) else "N"
        row = (i, show, season, number, name, str(day), length, loads, rating, rude)
        row += (old and place[old[0], old[3]],)
        db.execute(f"INSERT INTO Episodes VALUES ({'?, ' * 10}?)", row)
        for _ in range(rng.choice((0, 1, 1, 1, 2, 3))):
            row = (i, int(rng.random() ** 1.7 * 100) + 1, rng.choices(ROLES, [62, 20, 6, 12])[0])
            row += ("Y" if rng.random() < 0.45 else "N",)
            db.execute("INSERT OR IGNORE INTO EpisodeGuests VALUES (?, ?, ?, ?)", row)
        free = [s for s in sponsors if s[3] <= day.year]
        for spot in rng.choice(("Mid-roll", "Pre-roll,Mid-roll", "Mid-roll,Post-roll")).split(","):
            sponsor = free[int(rng.random() ** 1.6 * len(free))]
            seconds, rate = {"Pre-roll": (30, 18), "Mid-roll": (60, 25)}.get(spot, (20, 10))
            seconds += rng.choice((0, 0, 0, 15, 30))
            price = round(loads * rate / 1000, 2) if sponsor[4] == "CPM" else rate * 10.0
            ads.append((len(ads) + 1, i, sponsor[0], spot, seconds, price))
    db.executemany("INSERT INTO AdReads VALUES (?, ?, ?, ?, ?, ?)", ads)
