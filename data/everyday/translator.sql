CREATE TABLE "Clients" ("Client Name" VARCHAR(80), "Type" VARCHAR(20),
  "Contact Person" VARCHAR(60), "Email" VARCHAR(80), "City" VARCHAR(40), "Country" VARCHAR(30),
  "Rate per Word" DECIMAL(5,3), "Payment Days" INTEGER, "VAT Number" VARCHAR(20), "Notes" TEXT);
CREATE TABLE "Jobs" ("Job No" VARCHAR(10), "Client" VARCHAR(80), "Title" VARCHAR(60),
  "Subject" VARCHAR(20), "From" VARCHAR(2), "Into" VARCHAR(2), "Date Received" DATE,
  "Deadline" DATE, "Delivered On" DATE, "Words" INTEGER, "Rush" VARCHAR(3));
CREATE TABLE "Invoices" ("Invoice No" VARCHAR(10), "Job No" VARCHAR(10), "Date Sent" DATE,
  "Due Date" DATE, "Amount EUR" DECIMAL(10,2), "Paid On" DATE, "Reminders Sent" INTEGER);
CREATE TABLE "Business Expenses" ("Date" DATE, "What" VARCHAR(60), "Category" VARCHAR(20),
  "Shop" VARCHAR(40), "Amount EUR" DECIMAL(10,2), "Paid With" VARCHAR(10), "Receipt" VARCHAR(3));
