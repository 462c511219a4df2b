-- The whole shop as it is on 2024-11-20: schema first, then its customers, orders and stock.
CREATE TABLE customers (id TEXT PRIMARY KEY, name TEXT, phone TEXT, language TEXT);
CREATE TABLE orders (
  id TEXT PRIMARY KEY, customer TEXT REFERENCES customers(id), placed TEXT, status TEXT, delivered TEXT,
  currency TEXT, address TEXT, carrier TEXT, tracking TEXT, eta TEXT);
-- kind: normal, or fresh / custom / intimate, which can only be returned when they are faulty.
CREATE TABLE items (order_id TEXT REFERENCES orders(id), sku TEXT, name TEXT, variant TEXT, price REAL, kind TEXT);
CREATE TABLE stock (sku TEXT, variant TEXT);
CREATE TABLE events (order_id TEXT REFERENCES orders(id), at TEXT, place TEXT, what TEXT);
CREATE TABLE refunds (id TEXT PRIMARY KEY, order_id TEXT, amount REAL, reason TEXT, created TEXT);
CREATE TABLE exchanges (id TEXT PRIMARY KEY, order_id TEXT, variant TEXT, created TEXT);
CREATE TABLE moved (order_id TEXT PRIMARY KEY, address TEXT);
CREATE TABLE policies (topic TEXT, language TEXT, text TEXT);

INSERT INTO customers VALUES
 ('C01','王芳','13800138001','zh'), ('C02','李伟','13912345678','zh'), ('C03','张敏','13601020304','zh'),
 ('C04','刘洋','18611112222','zh'), ('C05','陈静','15000001111','zh'), ('C06','赵磊','13788889999','zh'),
 ('C07','周婷','18800003333','zh'), ('C08','吴昊','17700004444','zh'),
 ('C11','Emma Clark','415-555-0101','en'), ('C12','Liam Turner','212-555-0147','en'),
 ('C13','Olivia Reed','312-555-0188','en'), ('C14','Noah Brooks','617-555-0123','en'),
 ('C15','Ava Morgan','206-555-0166','en'), ('C16','Ethan Price','305-555-0112','en'),
 ('C17','Mia Foster','503-555-0199','en');

INSERT INTO orders VALUES
 ('JD2024111138271','C01','2024-11-11','delivered','2024-11-15','CNY','杭州市西湖区文三路 138 号','顺丰','SF1048827301',NULL),
 ('JD2024111140325','C02','2024-11-11','delivered','2024-11-14','CNY','北京市朝阳区建国路 88 号','京东快递','JDX0299118840',NULL),
 ('JD2024111152906','C03','2024-11-11','shipped',NULL,'CNY','成都市武侯区人民南路 27 号','中通','ZT7741200563','2024-11-21'),
 ('JD2024111803317','C04','2024-11-18','processing',NULL,'CNY','上海市徐汇区漕溪北路 45 号',NULL,NULL,'2024-11-24'),
 ('JD2024111804452','C05','2024-11-18','processing',NULL,'CNY','广州市天河区体育西路 101 号',NULL,NULL,'2024-11-23'),
 ('JD2024110507718','C06','2024-11-05','delivered','2024-11-08','CNY','南京市鼓楼区中山路 66 号','圆通','YT5520194417',NULL),
 ('JD2024102009634','C07','2024-10-20','delivered','2024-10-24','CNY','西安市雁塔区小寨东路 3 号','韵达','YD8830017265',NULL),
 ('JD2024091201178','C08','2024-09-12','delivered','2024-09-15','CNY','武汉市洪山区珞喻路 152 号','顺丰','SF1040017782',NULL),
 ('JD2024111605583','C01','2024-11-16','delivered','2024-11-17','CNY','杭州市西湖区文三路 138 号','顺丰','SF1049913056',NULL),
 ('JD2024111207741','C02','2024-11-12','delivered','2024-11-19','CNY','北京市朝阳区建国路 88 号','京东快递','JDX0299873312',NULL),
 ('JD2024111011290','C03','2024-11-10','delivered','2024-11-13','CNY','成都市武侯区人民南路 27 号','中通','ZT7740018825',NULL),
 ('JD2024111011302','C04','2024-11-10','delivered','2024-11-12','CNY','上海市徐汇区漕溪北路 45 号','中通','ZT7740018841',NULL),
 ('JD2024111316048','C05','2024-11-13','shipped',NULL,'CNY','广州市天河区体育西路 101 号','德邦','DB3301746620','2024-11-22'),
 ('JD2024110902227','C06','2024-11-09','refunded','2024-11-12','CNY','南京市鼓楼区中山路 66 号','圆通','YT5520881903',NULL),
 ('JD2024111000815','C07','2024-11-10','cancelled',NULL,'CNY','西安市雁塔区小寨东路 3 号',NULL,NULL,NULL),
 ('JD2024111519930','C08','2024-11-15','delivered','2024-11-18','CNY','武汉市洪山区珞喻路 152 号','韵达','YD8831950047',NULL),
 ('JD2024111724416','C01','2024-11-17','shipped',NULL,'CNY','杭州市西湖区文三路 138 号','申通','ST6617203398','2024-11-23'),
 ('JD2024111906654','C02','2024-11-19','processing',NULL,'CNY','北京市朝阳区建国路 88 号',NULL,NULL,'2024-11-25'),
 ('JD2024111408873','C03','2024-11-14','delivered','2024-11-16','CNY','成都市武侯区人民南路 27 号','顺丰','SF1049420718',NULL),
 ('JD2024111409918','C04','2024-11-14','delivered','2024-11-17','CNY','上海市徐汇区漕溪北路 45 号','顺丰','SF1049421155',NULL),
 ('JD2024111610047','C05','2024-11-16','delivered','2024-11-18','CNY','广州市天河区体育西路 101 号','中通','ZT7742650391',NULL),
 ('JD2024111911135','C07','2024-11-19','processing',NULL,'CNY','西安市雁塔区小寨东路 3 号',NULL,NULL,'2024-11-26'),
 ('US2024110512094','C11','2024-11-05','delivered','2024-11-14','USD','88 Bryant St, San Francisco','UPS','1Z88A0F30341',NULL),
 ('US2024110817730','C12','2024-11-08','delivered','2024-11-15','USD','410 W 23rd St, New York','FedEx','FX770418236',NULL),
 ('US2024111221456','C13','2024-11-12','shipped',NULL,'USD','52 N Clark St, Chicago','USPS','US940011288','2024-11-22'),
 ('US2024111830018','C14','2024-11-18','processing',NULL,'USD','19 Newbury St, Boston',NULL,NULL,'2024-11-26'),
 ('US2024111931147','C15','2024-11-19','processing',NULL,'USD','700 Pine St, Seattle',NULL,NULL,'2024-11-27'),
 ('US2024110309982','C16','2024-11-03','delivered','2024-11-07','USD','230 Ocean Dr, Miami','UPS','1Z88A0F21907',NULL),
 ('US2024101504471','C17','2024-10-15','delivered','2024-10-22','USD','1415 Alder St, Portland','FedEx','FX770108852',NULL),
 ('US2024090801263','C11','2024-09-08','delivered','2024-09-13','USD','88 Bryant St, San Francisco','UPS','1Z88A0F00158',NULL),
 ('US2024111526609','C12','2024-11-15','delivered','2024-11-18','USD','410 W 23rd St, New York','FedEx','FX770483310',NULL),
 ('US2024111019875','C13','2024-11-10','delivered','2024-11-16','USD','52 N Clark St, Chicago','UPS','1Z88A0F41129',NULL),
 ('US2024110614420','C14','2024-11-06','delivered','2024-11-13','USD','19 Newbury St, Boston','USPS','US940010417',NULL),
 ('US2024110614437','C15','2024-11-06','delivered','2024-11-12','USD','700 Pine St, Seattle','USPS','US940010433',NULL),
 ('US2024111325508','C16','2024-11-13','shipped',NULL,'USD','230 Ocean Dr, Miami','UPS','1Z88A0F47750','2024-11-21'),
 ('US2024110716684','C17','2024-11-07','refunded','2024-11-11','USD','1415 Alder St, Portland','FedEx','FX770399041',NULL),
 ('US2024111118852','C11','2024-11-11','cancelled',NULL,'USD','88 Bryant St, San Francisco',NULL,NULL,NULL),
 ('US2024111427713','C12','2024-11-14','delivered','2024-11-17','USD','410 W 23rd St, New York','UPS','1Z88A0F49926',NULL),
 ('US2024111629934','C13','2024-11-16','shipped',NULL,'USD','52 N Clark St, Chicago','FedEx','FX770501174','2024-11-24'),
 ('US2024111932206','C14','2024-11-19','processing',NULL,'USD','19 Newbury St, Boston',NULL,NULL,'2024-11-28'),
 ('US2024111222250','C15','2024-11-12','delivered','2024-11-16','USD','700 Pine St, Seattle','UPS','1Z88A0F43385',NULL),
 ('US2024111222267','C16','2024-11-12','delivered','2024-11-17','USD','230 Ocean Dr, Miami','UPS','1Z88A0F43392',NULL),
 ('US2024111628801','C17','2024-11-16','delivered','2024-11-19','USD','1415 Alder St, Portland','USPS','US940013962',NULL);

INSERT INTO items VALUES
 ('JD2024111138271','YRF','轻薄羽绒服','黑色 M',459.00,'normal'), ('JD2024111140325','ERJ','降噪耳机','黑色',899.00,'normal'),
 ('JD2024111152906','KQZ','空气炸锅','5 升',329.00,'normal'), ('JD2024111803317','SBO','智能手表','黑色',1299.00,'normal'),
 ('JD2024111804452','HBS','儿童绘本套装','全 12 册',168.00,'normal'), ('JD2024110507718','YDX','跑步鞋','42 码',399.00,'normal'),
 ('JD2024102009634','DFB','电饭煲','4 升',459.00,'normal'), ('JD2024091201178','YXI','蓝牙音箱','灰色',239.00,'normal'),
 ('JD2024111605583','CLZ','智利车厘子','2 斤',198.00,'fresh'), ('JD2024111207741','GBI','刻字钢笔','黑色',268.00,'custom'),
 ('JD2024111011290','JPN','机械键盘','青轴',349.00,'normal'), ('JD2024111011302','JPN','机械键盘','青轴',349.00,'normal'),
 ('JD2024111316048','TYY','投影仪','白色',2499.00,'normal'), ('JD2024110902227','JSQ','加湿器','白色',129.00,'normal'),
 ('JD2024111000815','TDG','护眼台灯','白色',89.00,'normal'), ('JD2024111519930','BWB','保温杯','500 毫升',99.00,'normal'),
 ('JD2024111519930','FHZ','不锈钢饭盒','双层',59.00,'normal'), ('JD2024111724416','YJD','瑜伽垫','紫色',119.00,'normal'),
 ('JD2024111906654','KFJ','意式咖啡机','银色',1580.00,'normal'), ('JD2024111408873','CSH','亚麻衬衫','白色 L',500.00,'normal'),
 ('JD2024111409918','XLX','行李箱','银色',501.00,'normal'), ('JD2024111610047','NYI','内衣套装','M',139.00,'intimate'),
 ('JD2024111911135','DRT','电热毯','双人',219.00,'normal'),
 ('US2024110512094','RJK','rain jacket','navy M',89.90,'normal'), ('US2024110817730','ESM','espresso machine','silver',349.00,'normal'),
 ('US2024111221456','LMP','desk lamp','white',42.50,'normal'), ('US2024111830018','HBT','hiking boots','size 10',128.00,'normal'),
 ('US2024111931147','BGM','board game','standard',39.99,'normal'), ('US2024110309982','RUN','running shoes','size 9',79.00,'normal'),
 ('US2024101504471','BLD','blender','black',64.00,'normal'), ('US2024090801263','HPH','headphones','black',159.00,'normal'),
 ('US2024111526609','SLM','fresh salmon box','4 lb',54.00,'fresh'), ('US2024111019875','EWT','engraved watch','gold',210.00,'custom'),
 ('US2024110614420','MKB','mechanical keyboard','brown',95.00,'normal'), ('US2024110614437','MKB','mechanical keyboard','brown',95.00,'normal'),
 ('US2024111325508','TNT','two-person tent','green',189.00,'normal'), ('US2024110716684','TST','toaster','red',35.00,'normal'),
 ('US2024111118852','PHC','phone case','clear',15.00,'normal'), ('US2024111427713','MUG','travel mug','blue',18.00,'normal'),
 ('US2024111427713','TPT','teapot','white',44.00,'normal'), ('US2024111629934','BPK','backpack','grey',75.00,'normal'),
 ('US2024111932206','TAB','tablet','silver',429.00,'normal'), ('US2024111222250','CMT','chair mat','large',100.00,'normal'),
 ('US2024111222267','SCL','smart scale','white',100.50,'normal'), ('US2024111628801','SWM','swimwear','M',48.00,'intimate');

INSERT INTO stock VALUES
 ('YRF','黑色 L'), ('YRF','白色 M'), ('ERJ','白色'), ('YDX','43 码'), ('YDX','41 码'), ('JPN','红轴'), ('CSH','白色 XL'),
 ('XLX','黑色'), ('BWB','750 毫升'), ('RJK','navy L'), ('RJK','red M'), ('ESM','black'), ('RUN','size 10'),
 ('RUN','size 9.5'), ('MKB','red'), ('MUG','green'), ('SCL','black');

INSERT INTO events VALUES
 ('JD2024111152906','2024-11-12 18:20','成都','包裹已揽收'), ('JD2024111152906','2024-11-19 09:05','成都','到达双流分拨中心'),
 ('JD2024111316048','2024-11-14 10:40','佛山','包裹已揽收'), ('JD2024111316048','2024-11-19 21:15','广州','离开黄埔转运场'),
 ('JD2024111724416','2024-11-17 20:00','武汉','包裹已揽收'), ('JD2024111724416','2024-11-18 07:30','武汉','到达东西湖分拨中心'),
 ('JD2024111138271','2024-11-15 14:12','杭州','已签收，本人'), ('JD2024111140325','2024-11-14 16:45','北京','已签收，前台代收'),
 ('JD2024111519930','2024-11-18 11:26','武汉','已签收，快递柜'),
 ('US2024111221456','2024-11-13 17:10','Indianapolis','Picked up'), ('US2024111221456','2024-11-19 06:50','Chicago','Arrived at sorting centre'),
 ('US2024111325508','2024-11-14 12:00','Atlanta','Picked up'), ('US2024111325508','2024-11-20 05:35','Miami','Out for delivery'),
 ('US2024111629934','2024-11-17 19:25','Denver','Picked up'), ('US2024111629934','2024-11-18 02:15','Denver','Arrived at sorting centre'),
 ('US2024110512094','2024-11-14 15:30','San Francisco','Delivered, front door'), ('US2024110817730','2024-11-15 13:05','New York','Delivered, reception');

INSERT INTO refunds VALUES
 ('RF02227','JD2024110902227',129.00,'no_reason','2024-11-16'), ('RF16684','US2024110716684',35.00,'no_reason','2024-11-15');

INSERT INTO policies VALUES
 ('return','zh','签收后 7 天内可无理由退货，有质量问题的 30 天内可退；生鲜、定制和贴身衣物不支持无理由退货。'),
 ('return','en','You can return an item for any reason within 7 days of delivery, and a faulty one within 30 days. Fresh, custom-made and intimate items cannot be returned without a fault.'),
 ('exchange','zh','签收后 15 天内可换同款其他颜色或尺码，以库存为准，每单可换一次。'),
 ('exchange','en','Within 15 days of delivery you can exchange an item for another colour or size that is in stock, once per order.'),
 ('refund_time','zh','退款原路退回，银行卡 3 到 5 个工作日到账，余额 24 小时内到账。'),
 ('refund_time','en','Refunds go back to the original payment: 3 to 5 working days on a card, 24 hours on store balance.'),
 ('return_fee','zh','无理由退货的运费 12 元由买家承担，质量问题由商家承担。'),
 ('return_fee','en','Return shipping costs $6 and is paid by you for a change of heart, and by us for a faulty item.'),
 ('shipping_fee','zh','单笔满 99 元包邮，不满 99 元收 8 元运费。'),
 ('shipping_fee','en','Shipping is free from $49; below that it is $5.'),
 ('invoice','zh','发票在签收后 90 天内可申请，电子发票 24 小时内发到邮箱。'),
 ('invoice','en','You can ask for an invoice within 90 days of delivery; it reaches your mailbox within 24 hours.'),
 ('hours','zh','人工客服每天 9:00 到 22:00 在线。'),
 ('hours','en','Our people are there every day from 9:00 to 22:00.');
