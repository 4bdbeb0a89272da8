// Loaded into every program that these scripts start, and by the scripts themselves: a shell between npm and a script
// passes no signal on, and a killed script cannot. Who lost the process that started it ends as if asked to. Plain JavaScript: what takes
// types out of sources would stay in the memory of each.
const PAUSE = 500
const parent = process.ppid

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
}, PAUSE).unref()
