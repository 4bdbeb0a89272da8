// The shop's tables, which are there: CAP reads and writes them through the views of views.sql, since it writes names in small letters.
entity Customer @(cds.persistence.exists) {
  key id      : Int64;
      name    : String(100);
      email   : String(5000);
      born    : Date;
      since   : DateTime;
      credit  : Decimal(12, 2) default 0;
      level   : String(255) default 'plain';
      points  : Int64;
      rating  : Double;
      active  : Boolean default true;
      opens   : Time;
      orders  : Association to many Orders on orders.customer = $self;
}
entity Orders @(cds.persistence.exists) {
  key id       : Int64;
      number   : String(20);
      total    : Decimal(12, 2);
      customer : Association to Customer;
      items    : Association to many Item on items.order = $self;
}
entity Item @(cds.persistence.exists) {
  key sku    : String(30);
      amount : Integer;
      order  : Association to Orders;
}

@path: '/odata'
@requires: 'any'
service Shop {
  entity Customers as projection on Customer;
  entity OrdersOf  as projection on Orders;
  entity Items     as projection on Item;
}
