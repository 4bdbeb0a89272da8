CREATE VIEW customer AS SELECT id, name, email, born, since, credit, level, points, rating, active, opens FROM "Customer";
CREATE VIEW orders AS SELECT id, number, total, "customerId" AS customer_id FROM "Order";
CREATE VIEW item AS SELECT sku, amount, "orderId" AS order_id FROM "Item";
CREATE VIEW shop_customers AS SELECT * FROM customer;
CREATE VIEW shop_ordersof AS SELECT * FROM orders;
CREATE VIEW shop_items AS SELECT * FROM item;
