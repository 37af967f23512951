"""A French family's recipes: ingredients, who cooks them, and the marks given at the table."""

from datetime import date, timedelta

CUISINIERS = """Odile Marchand|grand-mère|1944|Quimper; Raymond Marchand|grand-père|1941|Quimper;
Hélène Marchand|mère|1969|Nantes; Benoît Lefèvre|père|1967|Nantes; Élodie Lefèvre|fille|1995|Lyon;
Théo Lefèvre|fils|1998|Rennes; Yasmina Haddad|belle-fille|1997|Rennes; Solène
Marchand|tante|1972|Brest; François Guérin|oncle|1970|Brest; Maëlle Guérin|cousine|2001|Paris; Loïc
Guérin|cousin|2004|Brest; Inès Lefèvre|fille|2003|Nantes"""
INGRÉDIENTS = """farine|épicerie|g|250|1.2; sucre||g|120|1.6; riz||g|300|2.4; pâtes||g|400|1.9;
lentilles vertes||g|300|3.9; pois chiches||g|250|2.8; chocolat noir||g|200|9.5; miel||g|60|11;
moutarde||g|30|5.2; huile d'olive||ml|40|9.9; vin blanc|cave|ml|200|6.5; vin rouge||ml|500|7;
cidre||ml|300|3.2; bouillon de légumes|épicerie|ml|600|1.5; curry|épices|g|8|38; cannelle||g|5|30;
cumin||g|6|29; thym||g|3|45; beurre|crèmerie|g|100|9.8; crème fraîche||ml|200|5.6;
lait||ml|400|1.2; œufs||pièce|3|0.35; gruyère râpé||g|120|11.5; chèvre frais||g|150|14;
mascarpone||g|250|8.4; lardons|boucherie|g|200|9.9; poulet||g|1200|8.5; bœuf||g|900|16.9;
porc||g|700|10.5; agneau||g|800|21; jambon||g|180|17; saumon|poissonnerie|g|500|24;
cabillaud||g|600|22; moules||g|2000|4.9; crevettes||g|300|19.5; thon||g|200|13;
oignons|légumes|g|150|1.9; ail||g|10|9; carottes||g|300|1.6; pommes de terre||g|800|1.7;
tomates||g|500|3.2; courgettes||g|450|2.6; aubergines||g|400|3.1; poivrons||g|300|3.9;
poireaux||g|500|2.9; champignons||g|250|7.8; épinards||g|400|4.5; potiron||g|900|2.2; haricots
verts||g|400|5.4; salade||pièce|1|1.3; persil||g|15|14; basilic||g|12|22; pommes|fruits|g|600|2.5;
poires||g|500|3.1; citron||pièce|1|0.6; fraises||g|500|8.9; framboises||g|250|14.5;
rhubarbe||g|600|4.9; bananes||pièce|3|0.3; amandes en poudre|épicerie|g|100|13.5; noix||g|80|15"""
RECETTES = """Quiche lorraine|plat|20|35|1|farine, beurre, lardons, œufs, crème fraîche; Tarte aux
poireaux||25|40|1|farine, beurre, poireaux, œufs, crème fraîche, gruyère râpé; Gratin
dauphinois|accompagnement|20|70|1|pommes de terre, lait, crème fraîche, ail;
Ratatouille||30|60|2|aubergines, courgettes, tomates, poivrons, oignons, huile d'olive, ail; Bœuf
bourguignon|plat|40|180|3|bœuf, vin rouge, carottes, lardons, oignons, champignons; Poulet
basquaise||25|60|2|poulet, poivrons, tomates, oignons, huile d'olive; Poulet rôti au
thym||10|80|1|poulet, thym, beurre, ail, pommes de terre; Blanquette de poulet||35|80|2|poulet,
carottes, champignons, crème fraîche, bouillon de légumes; Navarin d'agneau||30|100|3|agneau,
carottes, pommes de terre, oignons, haricots verts; Curry de crevettes||20|20|2|crevettes, curry,
riz, oignons, crème fraîche; Moules au cidre||25|15|1|moules, cidre, oignons, beurre, persil;
Moules marinières||25|15|1|moules, vin blanc, oignons, persil; Saumon en papillote||15|20|1|saumon,
citron, poireaux, huile d'olive; Cabillaud aux épinards||15|25|2|cabillaud, épinards, crème
fraîche, citron; Brandade du vendredi||30|35|2|cabillaud, pommes de terre, lait, ail, huile
d'olive; Hachis parmentier||30|40|1|bœuf, pommes de terre, lait, oignons, gruyère râpé; Petit salé
aux lentilles||20|90|2|porc, lentilles vertes, carottes, oignons, thym; Couscous
d'agneau||50|110|3|agneau, pois chiches, carottes, courgettes, tomates, cumin; Tajine de poulet au
citron||30|75|2|poulet, citron, oignons, cumin, miel; Lasagnes aux légumes||40|45|2|pâtes,
courgettes, aubergines, tomates, gruyère râpé, lait; Pâtes au thon||10|12|1|pâtes, thon, tomates,
ail; Pâtes carbonara||10|12|1|pâtes, lardons, œufs, gruyère râpé; Risotto aux
champignons||15|30|2|riz, champignons, vin blanc, bouillon de légumes, beurre, oignons; Dahl de
lentilles||15|35|1|lentilles vertes, curry, tomates, oignons, ail; Chili con carne||20|60|1|bœuf,
tomates, poivrons, oignons, cumin; Croque-monsieur||10|10|1|jambon, gruyère râpé, beurre, lait;
Poireaux au jambon||20|40|2|poireaux, jambon, gruyère râpé, lait, farine, beurre; Omelette aux
champignons||10|8|1|œufs, champignons, beurre, persil; Galettes complètes||20|20|2|farine, œufs,
jambon, gruyère râpé, beurre; Tarte à la tomate||20|35|1|farine, beurre, tomates, moutarde,
basilic; Soufflé au fromage||25|35|3|œufs, gruyère râpé, lait, farine, beurre; Courgettes
farcies||30|45|2|courgettes, riz, porc, tomates, oignons; Velouté de
potiron|entrée|20|30|1|potiron, oignons, bouillon de légumes, crème fraîche; Soupe à
l'oignon||15|45|1|oignons, beurre, bouillon de légumes, gruyère râpé, vin blanc; Soupe de
poireaux||15|30|1|poireaux, pommes de terre, bouillon de légumes; Salade niçoise||25|10|1|salade,
thon, tomates, œufs, haricots verts, huile d'olive; Salade de chèvre chaud||15|8|1|salade, chèvre
frais, miel, noix; Salade de lentilles||15|25|1|lentilles vertes, carottes, moutarde, huile
d'olive, persil; Houmous|apéritif|15|0|1|pois chiches, citron, ail, huile d'olive, cumin;
Gougères||20|25|2|farine, œufs, beurre, gruyère râpé, lait; Cake au jambon||15|45|1|farine, œufs,
jambon, gruyère râpé, huile d'olive; Caviar d'aubergine||15|40|1|aubergines, ail, citron, huile
d'olive; Purée de carottes au cumin|accompagnement|15|25|1|carottes, cumin, beurre; Pommes de terre
sautées||15|30|1|pommes de terre, huile d'olive, persil; Crêpes|dessert|15|30|1|farine, œufs, lait,
beurre, sucre; Far breton||15|45|1|farine, œufs, lait, sucre, beurre; Kouign-amann||60|40|3|farine,
beurre, sucre; Tarte aux pommes||25|35|1|farine, beurre, pommes, sucre, cannelle; Tarte
Tatin||30|40|2|pommes, sucre, beurre, farine; Tarte au citron||35|30|2|farine, beurre, citron,
œufs, sucre; Clafoutis aux framboises||15|40|1|framboises, œufs, lait, farine, sucre; Compote de
rhubarbe||15|20|1|rhubarbe, sucre; Crumble poire-chocolat||20|30|1|poires, chocolat noir, farine,
beurre, sucre; Mousse au chocolat||20|0|2|chocolat noir, œufs, sucre; Gâteau au
miel||10|35|1|farine, miel, œufs, huile d'olive; Fondant au chocolat||15|22|1|chocolat noir,
beurre, œufs, sucre, farine; Tiramisu aux fraises||30|0|2|mascarpone, fraises, œufs, sucre; Galette
des rois||40|35|3|amandes en poudre, beurre, œufs, sucre, farine; Gâteau aux noix||20|40|2|noix,
œufs, sucre, beurre, farine; Gâteau à la banane||15|50|1|bananes, farine, beurre, sucre, œufs"""
ALLERGÈNES = """farine|gluten; pâtes|gluten; œufs|œufs; noix|fruits à coque; moutarde|moutarde;
amandes en poudre|fruits à coque; crevettes|crustacés; moules|mollusques; crèmerie|lactose;
poissonnerie|poisson"""
SAISONS = "potiron|automne; fraises|été; tomates|été; rhubarbe|printemps; poireaux|hiver"
NIVEAUX = {"1": "facile", "2": "moyen", "3": "difficile"}
BIEN = ["Délicieux", "À refaire", "Les enfants ont adoré", "Parfait", "Meilleur le lendemain"]
BOF = ["Trop salé", "Un peu sec", "Manque d'épices", "Bien mais long", "Portions trop petites"]


def fiches(texte):
    "Les fiches d'un texte, champs entre barres."
    return [fiche.split("|") for fiche in " ".join(texte.split()).split("; ")]


def build(db, rng):
    "Create and fill the tables of the family's notebook."
    db.executescript("""
    CREATE TABLE cuisiniers (id INTEGER PRIMARY KEY, nom TEXT, parenté TEXT,
        année_naissance INTEGER, ville TEXT);
    CREATE TABLE ingrédients (id INTEGER PRIMARY KEY, nom TEXT, rayon TEXT, unité TEXT,
        prix REAL, allergène TEXT);
    CREATE TABLE recettes (id INTEGER PRIMARY KEY, titre TEXT, catégorie TEXT,
        cuisinier_id INTEGER REFERENCES cuisiniers, préparation_min INTEGER, cuisson_min INTEGER,
        difficulté TEXT, personnes INTEGER, végétarien TEXT, saison TEXT, ajoutée_le TEXT);
    CREATE TABLE recette_ingrédient (recette_id INTEGER REFERENCES recettes,
        ingrédient_id INTEGER REFERENCES ingrédients, quantité REAL,
        PRIMARY KEY (recette_id, ingrédient_id));
    CREATE TABLE notes (id INTEGER PRIMARY KEY, recette_id INTEGER REFERENCES recettes,
        cuisinier_id INTEGER REFERENCES cuisiniers, note INTEGER,
        mangé_le TEXT, commentaire TEXT);
    """)
    lignes = [(i, *c) for i, c in enumerate(fiches(CUISINIERS), 1)]
    db.executemany("INSERT INTO cuisiniers VALUES (?, ?, ?, ?, ?)", lignes)
    contient = dict(fiches(ALLERGÈNES))
    garde, rayon, doses, notes = {}, None, [], []
    for i, (nom, nouveau, unité, dose, prix) in enumerate(fiches(INGRÉDIENTS), 1):
        rayon = nouveau or rayon
        garde[nom] = (i, rayon, unité, int(dose))
        allergène = contient.get(nom) or contient.get(rayon) or "aucun"
        ligne = (i, nom, rayon, unité, float(prix), allergène)
        db.execute("INSERT INTO ingrédients VALUES (?, ?, ?, ?, ?, ?)", ligne)
    saisons, genre = dict(fiches(SAISONS)), None
    for i, (titre, nouveau, *temps, niveau, liste) in enumerate(fiches(RECETTES), 1):
        genre = nouveau or genre
        noms = liste.split(", ")
        viande = any(garde[n][1] in ("boucherie", "poissonnerie") for n in noms)
        saison = next((saisons[n] for n in noms if n in saisons), "toute l'année")
        auteur = rng.choices(range(1, 13), [22, 6, 16, 8, 9, 6, 7, 10, 4, 5, 2, 3])[0]
        pour = rng.choices([2, 4, 6, 8], [8, 52, 30, 10])[0]
        ajoutée = date(2015, 1, 11) + timedelta(int(rng.random() ** 0.8 * 3000))
        reste = ("non" if viande else "oui", saison if rng.random() > 0.1 else None, str(ajoutée))
        ligne = (i, titre, genre, auteur, *temps, NIVEAUX[niveau], pour, *reste)
        db.execute(f"INSERT INTO recettes VALUES ({'?, ' * 10}?)", ligne)
        for nom in noms:
            numéro, _, unité, dose = garde[nom]
            quantité = dose * pour / 4 * rng.choice((0.8, 1, 1, 1.2))
            pas = 1 if unité == "pièce" or quantité < 20 else 5 if quantité < 100 else 50
            doses.append((i, numéro, max(pas, round(quantité / pas) * pas)))
        talent = rng.gauss(3.8, 0.6)
        for _ in range(int(rng.random() ** 2 * 12) + 1):
            juge = rng.choices(range(1, 13), [10, 6, 14, 12, 10, 9, 9, 6, 5, 6, 5, 8])[0]
            jour = ajoutée + timedelta(int(rng.random() * (date(2024, 4, 14) - ajoutée).days))
            note = min(5, max(1, round(rng.gauss(talent, 0.8))))
            avis = None if rng.random() < 0.18 else rng.choice(BIEN if note > 3 else BOF)
            notes.append((str(jour), i, juge, note, avis))
    db.executemany("INSERT INTO recette_ingrédient VALUES (?, ?, ?)", doses)
    notes.sort(key=lambda n: n[:3])
    lignes = [(i, *n[1:4], n[0], n[4]) for i, n in enumerate(notes, 1)]
    db.executemany("INSERT INTO notes VALUES (?, ?, ?, ?, ?, ?)", lignes)
