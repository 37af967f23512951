"""Un centro cultural de barrio: socios, talleres, profesores, inscripciones y salas."""

import datetime

NOMBRES = """Álvaro Begoña Carmen Darío Elena Fátima Gonzalo Héctor Inés Joaquín Lucía Marcos Nuria
Óscar Pilar Raúl Sofía Tomás Úrsula Verónica Ximena Yolanda Adrián Blanca César Dolores Ernesto
Francisca Germán Ainhoa Ibrahim Jimena Laia Mihai Noelia Encarnación Rocío Samira Íker""".split()
APELLIDOS = """Álvarez Benítez Castaño Domínguez Expósito Fernández Gómez Herrera Ibáñez Jiménez
Lozano Martínez Núñez Ortega Peña Quintana Ramírez Sáez Tejedor Urrutia Vázquez Yáñez Zamora Bravo
Calderón Esteban Fuentes Garrido Iglesias León Muñoz Navarro Rubio Soler""".split()
BARRIOS = {"La Estación": 30, "San Andrés": 24, "Las Eras": 18, "El Molino": 14, "Centro": 9}
SALAS = [
    (1, "Sala Azul", 0, 25, 48.5, "sí"),
    (2, "Sala Machado", 0, 40, 82.0, "sí"),
    (3, "Taller de Barro", 0, 14, 56.0, "sí"),
    (4, "Aula 1", 1, 20, 38.0, "sí"),
    (5, "Aula 2", 1, 20, 36.5, "sí"),
    (6, "Buhardilla", 2, 12, 27.0, "no"),
    (7, "Cocina", 0, 12, 41.0, "sí"),
    (8, "Salón de Actos", 0, 120, 190.0, "sí"),
]
TALLERES = [
    ("Cerámica para principiantes", "arte", 3, 45.0, 20),
    ("Cerámica avanzada", "arte", 3, 52.0, 20),
    ("Acuarela", "arte", 6, 38.5, 16),
    ("Óleo", "arte", 6, 42.0, 20),
    ("Dibujo infantil", "arte", 4, 22.0, 14),
    ("Fotografía con móvil", "arte", 5, 30.0, 12),
    ("Yoga suave", "salud", 1, 28.0, 24),
    ("Pilates", "salud", 1, 32.0, 24),
    ("Taichí en el patio", "salud", 1, 25.0, 20),
    ("Gimnasia para mayores", "salud", 2, 12.0, 30),
    ("Memoria activa", "salud", 4, 0.0, 15),
    ("Inglés básico", "idiomas", 4, 40.0, 40),
    ("Inglés conversación", "idiomas", 5, 44.0, 30),
    ("Francés inicial", "idiomas", 4, 40.0, 40),
    ("Español para extranjeros", "idiomas", 5, 0.0, 60),
    ("Lengua de signos", "idiomas", 5, 36.0, 30),
    ("Guitarra", "música", 6, 48.0, 24),
    ("Coro del barrio", "música", 8, 15.0, 45),
    ("Sevillanas", "baile", 8, 24.0, 18),
    ("Bachata", "baile", 8, 27.5, 18),
    ("Danza infantil", "baile", 1, 20.0, 20),
    ("Cocina sin gluten", "cocina", 7, 39.0, 10),
    ("Pan casero", "cocina", 7, 33.5, 9),
    ("Arroces y guisos", "cocina", 7, 36.0, 10),
    ("Informática para mayores", "informática", 5, 10.0, 25),
    ("Hojas de cálculo", "informática", 5, 30.0, 20),
    ("Club de lectura", "letras", 2, 0.0, 18),
    ("Escritura creativa", "letras", 6, 37.0, 20),
]
TEMAS = ["arte", "salud", "idiomas", "música", "baile", "cocina", "informática", "letras"]
DIAS = ["lunes", "martes", "miércoles", "jueves", "viernes", "sábado"]


def build(db, rng):
    "Create and fill the tables; `db` is an SQLite connection, `rng` the source of chance."
    db.executescript("""
CREATE TABLE salas (id_sala INTEGER PRIMARY KEY, nombre TEXT, planta INTEGER, aforo INTEGER,
    metros_cuadrados REAL, accesible TEXT);
CREATE TABLE profesores (id_profesor INTEGER PRIMARY KEY, nombre TEXT, apellidos TEXT,
    especialidad TEXT, teléfono TEXT, tarifa_hora REAL, fecha_alta TEXT);
CREATE TABLE talleres (id_taller INTEGER PRIMARY KEY, título TEXT, categoría TEXT,
    id_profesor INTEGER REFERENCES profesores(id_profesor),
    id_sala INTEGER REFERENCES salas(id_sala), día TEXT, hora TEXT, horas INTEGER, plazas INTEGER,
    precio REAL, fecha_inicio TEXT, estado TEXT);
CREATE TABLE socios (id_socio INTEGER PRIMARY KEY, nombre TEXT, apellidos TEXT,
    año_nacimiento INTEGER, barrio TEXT, teléfono TEXT, correo TEXT, tipo_cuota TEXT,
    fecha_alta TEXT, avalado_por INTEGER REFERENCES socios(id_socio));
CREATE TABLE inscripciones (id_socio INTEGER REFERENCES socios(id_socio),
    id_taller INTEGER REFERENCES talleres(id_taller), fecha TEXT, importe REAL, forma_pago TEXT,
    pagado TEXT, valoración INTEGER, PRIMARY KEY (id_socio, id_taller));
""")
    dia = datetime.timedelta(days=1)
    db.executemany("INSERT INTO salas VALUES (?, ?, ?, ?, ?, ?)", SALAS)
    parejas = [(n, a, b) for n in NOMBRES for a in APELLIDOS for b in APELLIDOS if a != b]
    gente = rng.sample(parejas, 200)
    profesores = []
    for i, tema in enumerate(TEMAS + ["arte", "salud", "idiomas", "música", "arte"], 1):
        nombre, uno, dos = gente.pop()
        alta = datetime.date(2012, 9, 1) + rng.randint(0, 3900) * dia
        tarifa = rng.choice([18.0, 20.0, 22.5, 22.5, 25.0, 28.0])
        movil = f"6{rng.randint(10, 99)} {rng.randint(100, 999)} {rng.randint(100, 999)}"
        profesores.append((i, nombre, f"{uno} {dos}", tema, movil, tarifa, alta))
    db.executemany("INSERT INTO profesores VALUES (?, ?, ?, ?, ?, ?, ?)", profesores)
    talleres, ocupado = [], []
    for i, (titulo, tema, sala, precio, horas) in enumerate(TALLERES, 1):
        quien = rng.choice([p[0] for p in profesores if p[3] == tema])
        while True:
            cuando = rng.choices(DIAS, [20, 22, 20, 20, 10, 8 * ("infantil" not in titulo)])[0]
            horas_libres = ["10:00", "12:00"] if cuando == "sábado" else ["10:00", "17:00", "19:00"]
            hora = rng.choice(horas_libres) if "infantil" not in titulo else "17:00"
            if (sala, cuando, hora) not in ocupado and (-quien, cuando, hora) not in ocupado:
                break
        ocupado += [(sala, cuando, hora), (-quien, cuando, hora)]
        plazas = min(SALAS[sala - 1][3], rng.choice([10, 12, 15, 18, 20, 25]))
        inicio = datetime.date(2024, 9, 30) + DIAS.index(cuando) * dia
        inicio += rng.choices([0, 7, 98], [7, 2, 1])[0] * dia
        estado = rng.choices(["abierto", "completo", "cancelado"], [60, 32, 8])[0]
        talleres.append(
            (i, titulo, tema, quien, sala, cuando, hora, horas, plazas, precio, inicio, estado)
        )
    db.executemany(f"INSERT INTO talleres VALUES ({', '.join('?' * 12)})", talleres)
    altas = sorted(datetime.date(2015, 1, 12) + rng.randint(0, 3480) * dia for _ in range(175))
    socios, plano = [], str.maketrans("áéíóúñü", "aeiounu")
    for i, alta in enumerate(altas, 1):
        nombre, uno, dos = gente.pop()
        nacido = int(rng.triangular(*((1936, 2008, 1968) if i % 7 else (2008, 2018, 2014))))
        nacido = min(nacido, alta.year - 3)
        edad = 2024 - nacido
        cuota = "infantil" if edad < 16 else "joven" if edad < 27 else "general"
        cuota = "jubilado" if edad > 65 else "familiar" if rng.random() < 0.2 else cuota
        fijo = "91" if rng.random() < 0.25 else f"6{rng.randint(0, 9)}"
        numero = f"{fijo}{rng.randint(0, 9)} {rng.randint(100, 999)} {rng.randint(100, 999)}"
        correo = f"{nombre}.{uno}{nacido % 100:02d}@correo.example".lower().translate(plano)
        correo = correo if rng.random() < (0.6 if edad > 70 else 0.93) else None
        barrio = rng.choices(list(BARRIOS), BARRIOS.values())[0]
        mayores = [s[0] for s in socios if s[3] < 2000]
        aval = rng.choice(mayores) if i > 10 and rng.random() < 0.8 else None
        numero = numero if rng.random() < 0.94 else None
        datos = (nombre, f"{uno} {dos}", nacido, barrio, numero, correo, cuota, alta, aval)
        socios.append((i, *datos))
    db.executemany(f"INSERT INTO socios VALUES ({', '.join('?' * 10)})", socios)
    inscritos = []
    for taller in talleres:
        i, titulo, _, _, _, _, _, _, plazas, precio, inicio, estado = taller
        tope, base = (2010, 2024) if "infantil" in titulo else (1930, 2009)
        base = 1962 if "mayores" in titulo or "Memoria" in titulo else base
        aptos = [s for s in socios if tope <= s[3] <= base]
        llenos = {"completo": plazas, "cancelado": rng.randint(1, 3)}
        for s in rng.sample(aptos, min(len(aptos), llenos.get(estado, rng.randint(5, plazas - 1)))):
            fecha = max(inicio - rng.randint(2, 40) * dia, s[8])
            rebaja = 0.5 if s[7] in ("jubilado", "joven", "infantil") else 1
            forma = rng.choices(["tarjeta", "efectivo", "bizum", "domiciliación"], [4, 2, 3, 1])[0]
            pagado = "no" if estado == "cancelado" or rng.random() < 0.06 else "sí"
            nota = rng.choices([5, 4, 3, 2, None], [42, 33, 11, 4, 10])[0]
            forma = forma if precio else None
            nota = nota if inicio.year == 2024 and estado != "cancelado" else None
            inscritos.append((s[0], i, fecha, precio * rebaja, forma, pagado, nota))
    db.executemany("INSERT INTO inscripciones VALUES (?, ?, ?, ?, ?, ?, ?)", inscritos)
