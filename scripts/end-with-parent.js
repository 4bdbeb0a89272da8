// Loaded into every program started by these scripts, and by the scripts themselves: a shell between npm and a script
// does not forward signals, and a killed script cannot. Ends the process with SIGTERM when its parent has ended. Plain
// JavaScript, because the type stripper would be kept in the memory of each process.
const PAUSE = 500
const parent = process.ppid

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
}, PAUSE).unref()
