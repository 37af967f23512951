CREATE TABLE members (member_id INTEGER PRIMARY KEY, first_name VARCHAR(40) NOT NULL,
  last_name VARCHAR(40) NOT NULL, birth_date DATE, town VARCHAR(40), email VARCHAR(80),
  phone VARCHAR(20), joined_on DATE, left_on DATE, membership_type VARCHAR(12), first_aid BOOLEAN);
CREATE TABLE hikes (hike_id INTEGER PRIMARY KEY, title VARCHAR(80), hike_date DATE,
  leader_id INTEGER REFERENCES members (member_id), start_place VARCHAR(40),
  distance_km DECIMAL(4,1), ascent_m INTEGER, difficulty VARCHAR(10), max_people INTEGER,
  cancelled BOOLEAN);
CREATE TABLE sign_ups (hike_id INTEGER REFERENCES hikes (hike_id),
  member_id INTEGER REFERENCES members (member_id), signed_up_on DATE, showed_up BOOLEAN,
  offers_lift BOOLEAN, PRIMARY KEY (hike_id, member_id));
CREATE TABLE fees (fee_id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members (member_id),
  year INTEGER, amount DECIMAL(6,2), paid_on DATE, payment_method VARCHAR(20));
CREATE TABLE gear (gear_id INTEGER PRIMARY KEY, model VARCHAR(60), category VARCHAR(20),
  bought_on DATE, price DECIMAL(8,2), condition VARCHAR(10));
CREATE TABLE gear_loans (loan_id INTEGER PRIMARY KEY, gear_id INTEGER REFERENCES gear (gear_id),
  member_id INTEGER REFERENCES members (member_id), lent_on DATE, returned_on DATE);
