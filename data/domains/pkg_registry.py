"""A registry of open-source packages: versions, maintainers, dependencies and downloads."""

from datetime import datetime, timedelta

FIRST = """Hugo Ananya Lars Xiulan Tyler Ifeoma Mikko Camille Dmitri Rosa Kenta Bilal Greta Owen
Shreya Tiago Astrid Junho Eleni Wanjiru Pablo Sigrid Noah Leyla Ruben Mai Joost Paula Arjun Britta
Caleb Sunniva Farah Matyas Quentin Zofia""".split()
LAST = """Nyberg Chaudhary Petersen Zhao Bradley Eze Virtanen Lemoine Orlov Ibarra Fujita Siddiqui
Baumer Prosser Nair Moreira Solberg Park Pappas Kamau Quiroga Halvorsen Feldman Demirci Aguilar Pham
Vandenberg Lindgren Menon Krause Whitman Aasen Jaffari Szabo Girard Mazur""".split()
HANDLES = ["codes", "dev", "42", "_", "hub", "x", "io", "", ""]
PLACES = ["United States", "Germany", "India", "France", "Japan", "Brazil", "Norway", "Kenya"]
# category: name parts and summary parts
TOPICS = {
    "web": ("http,route,cookie,session,template,form,proxy", "HTTP servers and clients"),
    "data": ("frame,csv,parquet,table,column,query,etl", "reading and shaping tables"),
    "testing": ("assert,mock,fixture,snapshot,fuzz,cover", "tests and mock objects"),
    "cli": ("args,prompt,progress,color,shell,term", "command line programs"),
    "security": ("hash,token,vault,cert,oauth,cipher", "passwords, tokens and certificates"),
    "graphics": ("canvas,pixel,chart,palette,svg,font", "drawing and charts"),
    "machine learning": ("tensor,layer,embed,train,cluster", "training small models"),
    "networking": ("socket,packet,dns,mqtt,ping", "sockets and protocols"),
}
SIZES = [10, 11, 9, 9, 7, 8, 6, 5]
PRE = ["fast", "tiny", "open", "micro", "super", "easy-", "async-", "neo", "lib", "blue-", "simple"]
POST = ["kit", "lite", "core", "-tools", "plus", "ify", "box", "flow", "-utils", "hub", "-extra"]
HOW = ["Simple library for", "Fast library for", "Helpers for", "A small library for", "Tools for"]
MONTHS = ["2024-10", "2024-11", "2024-12", "2025-01", "2025-02"]
LICENCES = ["MIT", "Apache-2.0", "BSD-3-Clause", "GPL-3.0", "MPL-2.0", "ISC", "Unlicense"]


def stamp(t):
    "An ISO timestamp in UTC."
    return t.strftime("%Y-%m-%dT%H:%M:%SZ")


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` a random number generator."
    db.executescript("""
CREATE TABLE packages (id INTEGER PRIMARY KEY, name TEXT UNIQUE, summary TEXT, category TEXT,
  licence TEXT, language TEXT, created_at TEXT, stars INTEGER, open_issues INTEGER, homepage TEXT,
  status TEXT);
CREATE TABLE versions (id INTEGER PRIMARY KEY, package_id INTEGER REFERENCES packages(id),
  number TEXT, published_at TEXT, size_kb REAL, yanked INTEGER, is_prerelease INTEGER,
  UNIQUE (package_id, number));
CREATE TABLE maintainers (id INTEGER PRIMARY KEY, username TEXT UNIQUE, full_name TEXT,
  email TEXT, joined_at TEXT, country TEXT, two_factor INTEGER,
  invited_by INTEGER REFERENCES maintainers(id));
CREATE TABLE package_maintainers (package_id INTEGER REFERENCES packages(id),
  maintainer_id INTEGER REFERENCES maintainers(id), role TEXT, added_at TEXT,
  PRIMARY KEY (package_id, maintainer_id));
CREATE TABLE dependencies (id INTEGER PRIMARY KEY, package_id INTEGER REFERENCES packages(id),
  depends_on_id INTEGER REFERENCES packages(id), kind TEXT, version_range TEXT);
CREATE TABLE downloads (package_id INTEGER REFERENCES packages(id), month TEXT, count INTEGER,
  ci_share_pct REAL, PRIMARY KEY (package_id, month));
""")
    now, users = datetime(2025, 3, 1, 6, 0), []
    for i, (f, n) in enumerate(rng.sample([(f, n) for f in FIRST for n in LAST], 70), 1):
        user = rng.choice([f + n[0], f[0] + n, n, f"{f}-{n}", f]).lower() + rng.choice(HANDLES)
        user += str(i) if user in [u[1] for u in users] else ""
        joined = datetime(2014, 1, 5) + timedelta(days=i * 52, seconds=rng.randint(0, 4000000))
        mail = f"{user.strip('_')}@{rng.choice(['mail', 'dev'])}.example"
        mail = None if rng.random() < 0.12 else mail
        home = rng.choices([*PLACES, None], [14, 10, 9, 6, 5, 5, 4, 3, 7])[0]
        by = rng.randint(1, i - 1) if i > 12 and rng.random() < 0.5 else None
        tfa = int(rng.random() < 0.68)
        users.append((i, user, f"{f} {n}", mail, stamp(joined), home, tfa, by))
    db.executemany("INSERT INTO maintainers VALUES (?, ?, ?, ?, ?, ?, ?, ?)", users)
    names, packages, versions, owners, deps, loads = {}, [], [], [], [], []
    while len(names) < 66:
        topic = rng.choices(list(TOPICS), SIZES)[0]
        word = rng.choice(TOPICS[topic][0].split(","))
        name = rng.choice([rng.choice(PRE) + word, word + rng.choice(POST)])
        names[name] = topic
    days = sorted(int(3500 * rng.random() ** 0.85) for _ in names)
    for i, (name, topic) in enumerate(names.items(), 1):
        made = datetime(2014, 11, 3) + timedelta(days=days[i - 1], seconds=rng.randint(0, 86399))
        fame = rng.lognormvariate(5.2, 1.5) * (1.6 if i < 20 else 1)
        status = rng.choices(["active", "deprecated", "archived"], [80, 12, 8])[0]
        lang = rng.choices(["Python", "Rust", "JavaScript", "Go", "C"], [34, 12, 11, 6, 3])[0]
        lic = rng.choices(LICENCES, [30, 14, 9, 6, 3, 3, 1])[0]
        page = None if rng.random() < 0.2 else f"https://{name}.example"
        about = f"{rng.choice(HOW)} {TOPICS[topic][1]}"
        row = (i, name, about, topic, lic, lang, stamp(made), int(fame))
        packages.append((*row, int(fame**0.6 * rng.random()), page, status))
        v, t, size = [0, 1, 0], made, rng.lognormvariate(4.2, 1.1)
        for _ in range(min(9, 2 + int(rng.expovariate(0.4)))):
            pre, bad = int(rng.random() < 0.08), int(rng.random() < 0.05)
            number = ".".join(str(x) for x in v) + "rc1" * pre
            versions.append((i, number, stamp(t), round(size, 1), bad, pre))
            k = rng.choices([0, 1, 2], [2, 5, 6])[0]
            v = [*v[:k], v[k] + 1, 0, 0][:3]
            size *= [1.25, 1.08, 1.01][k]
            t += timedelta(seconds=int(rng.expovariate(1 / 12000000)) + 90000)
            if t > now or (status != "active" and rng.random() < 0.2):
                break
        old = [u[0] for u in users if u[4] < stamp(made)] or [1]
        for k, u in enumerate(rng.sample(old, min(len(old), rng.choice([1, 1, 2, 2, 3])))):
            role = (
                "owner" if k == 0 else rng.choice(["maintainer", "maintainer", "release manager"])
            )
            added = made + timedelta(days=k * rng.randint(20, 90))
            owners.append((i, u, role, stamp(min(added, now))))
        older = [p for p in packages[:-1] if p[5] == lang]
        odds = [p[7] + 20 for p in older]
        wanted = rng.choices(older, odds, k=rng.choice([0, 2, 2, 3, 5])) if older else []
        for p in sorted(dict.fromkeys(w[0] for w in wanted)):
            kind = rng.choices(["runtime", "dev", "optional"], [70, 18, 12])[0]
            need = rng.choice(["*", ">=0.1", ">=0.2", "^0.1", "~=0.2", ">=0.3,<2"])
            deps.append((i, p, kind, need))
        for month in MONTHS:
            n = int(fame * rng.uniform(22, 34) * (0.7 if month == "2024-12" else 1))
            if stamp(made)[:7] <= month:
                loads.append((i, month, n, round(min(96, max(4, rng.gauss(52, 16))), 1)))
    db.executemany(f"INSERT INTO packages VALUES ({', '.join('?' * 11)})", packages)
    versions.sort(key=lambda v: v[2])
    db.executemany("INSERT INTO versions VALUES (NULL, ?, ?, ?, ?, ?, ?)", versions)
    db.executemany("INSERT INTO package_maintainers VALUES (?, ?, ?, ?)", owners)
    db.executemany("INSERT INTO dependencies VALUES (NULL, ?, ?, ?, ?)", deps)
    db.executemany("INSERT INTO downloads VALUES (?, ?, ?, ?)", loads)
