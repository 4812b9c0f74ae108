"""What games tell, one or many: values, luck, skill, statistics, tournaments."""
