"""Un cine: películas y directores, las salas, las funciones y las entradas vendidas."""

from datetime import date, timedelta

NOMBRES = """Lucía Mateo Carmen Iker Valentina Joaquín Pilar Andrés Ximena Óscar Inés Tomás Marisol
Nuria Rubén Beatriz Gonzalo Aitana Emilio Rocío Fermín Yolanda Darío Begoña Julián Noelia Ramiro
Elvira Sergi Paloma Wei Fátima Bruno Ainhoa Leandro""".split()
APELLIDOS = """Ferrer Ibáñez Quiroga Salvatierra Muñoz Echeverría Ledesma Ocampo Villalba Peña
Zubiri Montero Carrasco Rovira Núñez Aldana Benítez Urrutia Cisneros Palacios Otero Gálvez Lozano
Arce Bustamante Soler Cárdenas Rincón Medrano Acosta Tapia Vidal Chen Hadad""".split()
PAISES = ["España", "México", "Argentina", "Colombia", "Chile", "Francia"]
GENEROS = ["drama", "comedia", "suspenso", "terror", "animación", "documental", "ciencia ficción"]
COSAS = """El faro;La casa;El último tren;La hija;Los días;El jardín;La promesa;Cartas;El silencio;
La noche;El verano;Sombras;La orilla;El invierno;Las abejas;El puente;La maleta;Canción;El mapa;
La sal"""
DE = """de los relojeros;de Almería;del norte;sin lluvia;de papel;de mi abuelo;en llamas;de nadie;
del mar;de cristal;para Elena;de enero;perdido en casa;bajo el puente;de los perros;a medianoche"""
SALAS = """Buñuel,180,2D,1986;Almendra,120,2D,1986;Luna,95,3D,2009;Goya,220,IMAX,2015;
Lorca,60,2D,1994;Terraza,140,2D,2018;Infantil,70,3D,2011;Café Cine,35,2D,2021"""


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` a random number generator."
    db.executescript("""
CREATE TABLE directores (id_director INTEGER PRIMARY KEY, nombre TEXT UNIQUE, nacionalidad TEXT,
  año_nacimiento INTEGER, premios INTEGER);
CREATE TABLE películas (id_película INTEGER PRIMARY KEY, título TEXT UNIQUE, género TEXT, país TEXT,
  año_estreno INTEGER, duración_min INTEGER, clasificación TEXT, idioma TEXT,
  presupuesto_millones REAL, puntuación REAL);
CREATE TABLE película_director (id_película INTEGER REFERENCES películas(id_película),
  id_director INTEGER REFERENCES directores(id_director), PRIMARY KEY (id_película, id_director));
CREATE TABLE salas (id_sala INTEGER PRIMARY KEY, nombre TEXT UNIQUE, butacas INTEGER, tipo TEXT,
  año_apertura INTEGER);
CREATE TABLE funciones (id_función INTEGER PRIMARY KEY,
  id_película INTEGER REFERENCES películas(id_película),
  id_sala INTEGER REFERENCES salas(id_sala), fecha TEXT, hora TEXT, versión TEXT, precio REAL,
  estado TEXT);
CREATE TABLE entradas (id_entrada INTEGER PRIMARY KEY,
  id_función INTEGER REFERENCES funciones(id_función), cliente TEXT, fila TEXT, asiento INTEGER,
  tarifa TEXT, importe REAL, comprada_el TEXT, canal TEXT, UNIQUE (id_función, fila, asiento));
""")
    gente = rng.sample([f"{n} {a}" for n in NOMBRES for a in APELLIDOS], 62)
    filas = []
    for i, n in enumerate(gente, 1):
        premios = None if rng.random() < 0.12 else int(rng.expovariate(0.45))
        pais = rng.choices(PAISES, [26, 14, 12, 6, 5, 4])[0]
        filas.append((i, n, pais, rng.randint(1944, 1992), premios))
    db.executemany("INSERT INTO directores VALUES (?, ?, ?, ?, ?)", filas)
    cosas = [" ".join(c.split()) for c in COSAS.split(";")]
    finales = [" ".join(d.split()) for d in DE.split(";")]
    pelis, pares = [], []
    for i, t in enumerate(rng.sample([f"{c} {d}" for c in cosas for d in finales], 70), 1):
        jefe = min(rng.choice(filas), rng.choice(filas))
        genero = rng.choices(GENEROS, [26, 18, 13, 9, 7, 6, 4])[0]
        pais = jefe[2] if rng.random() < 0.85 else rng.choice(PAISES)
        año = rng.choices(
            [rng.randint(1985, 2019), rng.randint(2020, 2022), 2023, 2024], [9, 14, 17, 30]
        )[0]
        año = max(año, jefe[3] + 27)
        min_ = int(rng.gauss(88 if genero in ("animación", "documental") else 112, 13))
        edad = {"terror": ["+16", "+18"], "animación": ["TP", "TP", "+7"]}.get(genero)
        edad = rng.choice(edad or ["TP", "+7", "+12", "+12", "+16"])
        coste = {"ciencia ficción": 14, "animación": 9, "documental": 0.8}.get(genero, 3.5)
        coste = None if rng.random() < 0.13 else round(coste * rng.lognormvariate(0, 0.5), 1)
        lengua = "francés" if pais == "Francia" else "catalán" if rng.random() < 0.06 else "español"
        nota = round(min(9.4, max(3.1, rng.gauss(6.6, 1.1))), 1)
        pelis.append((i, t, genero, pais, año, min_, edad, lengua, coste, nota))
        pares.append((i, jefe[0]))
        otro = rng.randint(1, 62)
        if rng.random() < 0.2 and otro != jefe[0] and filas[otro - 1][3] < año - 25:
            pares.append((i, otro))
    db.executemany(f"INSERT INTO películas VALUES ({', '.join('?' * 10)})", pelis)
    db.executemany("INSERT INTO película_director VALUES (?, ?)", pares)
    salas = [s.strip().split(",") for s in SALAS.split(";")]
    db.executemany("INSERT INTO salas VALUES (NULL, ?, ?, ?, ?)", salas)
    cartel = rng.choices(pelis, [0.15 if p[4] < 2022 else p[9] - 2 for p in pelis], k=26)
    funciones, entradas, usadas, hoy = [], [], [], date(2025, 3, 30)
    while len(funciones) < 150:
        dia = date(2025, 3, 1) + timedelta(days=len(funciones) // 4)
        hora = rng.choices(["16:00", "18:15", "20:30", "22:45", "12:00"], [20, 24, 30, 18, 6])[0]
        sala = rng.choices(range(8), [6, 5, 4, 6, 3, 3, 2, 2])[0]
        if (dia, hora, sala) in usadas:
            continue
        usadas.append((dia, hora, sala))
        p = cartel[min(rng.randrange(26), rng.randrange(26))]
        tipo = salas[sala][2]
        precio = {"2D": 7.5, "3D": 9.5, "IMAX": 12.5}[tipo] - (2 if dia.weekday() == 2 else 0)
        precio = precio - 1.5 if hora in ("12:00", "16:00") else precio
        version = "original" if p[7] == "español" else rng.choice(["doblada", "subtitulada"])
        estado = rng.choices(["realizada", "cancelada"], [95, 5])[0]
        estado = "programada" if dia > hoy else estado
        n = len(funciones) + 1
        funciones.append((n, p[0], sala + 1, dia.isoformat(), hora, version, precio, estado))
    for k in range(390):
        f = funciones[rng.randrange(150)]
        if f[7] == "cancelada":
            continue
        filas_sala = "ABCDEFGHJKLMN"[: max(4, int(salas[f[2] - 1][1]) // 17)]
        sitio = (f[0], rng.choice(filas_sala), rng.randint(1, 12 if f[2] != 8 else 8))
        if sitio in [(e[0], e[2], e[3]) for e in entradas]:
            continue
        tarifa = rng.choices(["general", "estudiante", "jubilado", "infantil"], [58, 20, 13, 9])[0]
        importe = round(f[6] * {"general": 1, "estudiante": 0.8}.get(tarifa, 0.6), 2)
        nombre = None if rng.random() < 0.18 else f"{rng.choice(NOMBRES)} {rng.choice(APELLIDOS)}"
        canal = rng.choices(["taquilla", "web", "app"], [42, 36, 22])[0]
        canal = rng.choice(["web", "app"]) if f[7] == "programada" else canal
        antes = 0 if canal == "taquilla" else rng.choice([0, 0, 1, 2, 4, 7])
        compra = min(hoy, date.fromisoformat(f[3]) - timedelta(days=antes)).isoformat()
        entradas.append((f[0], nombre, *sitio[1:], tarifa, importe, compra, canal))
    entradas.sort(key=lambda e: e[6])
    db.executemany(f"INSERT INTO funciones VALUES ({', '.join('?' * 8)})", funciones)
    db.executemany("INSERT INTO entradas VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)", entradas)
