module example.com/lockstep

go 1.21
