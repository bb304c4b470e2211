/*
 * Runs on the offline page, kept by the service worker: shows the tickets that My Games has saved
 * (routes/bookings/list.tsx), up to the end of each game, and how many check-ins wait
 * (routes/admin/games/tap-queue.ts). The names are those of ui/kept.ts, and of ui/kept-before.ts.
 */
// Who was signed in last (forms/account-watch.ts).
const current = localStorage.getItem("account");
const former = read("tickets");
const { saved, tickets = [] } =
  read(`kept tickets ${current} next`)?.value ?? (former?.account === current && former);
const next = tickets.filter(({ endsAt }) => Date.parse(endsAt) > Date.now());
if (next.length > 0) showTickets();
else deleteTickets();
showCheckIns();
// Not where the page was asked for by its own name.
if (location.pathname !== "/offline") {
  addEventListener("online", goOn);
  setInterval(goOn, 5_000);
}

function read(key) {
  return JSON.parse(localStorage.getItem(key));
}

function deleteTickets() {
  const keys = Object.keys(localStorage).filter((key) => /^(kept )?tickets/.test(key));
  for (const key of keys) localStorage.removeItem(key);
}

// What the browser calls online may not reach the server yet.
async function goOn() {
  const response = await fetch("/sw.js", { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (response?.ok) location.reload();
}

function showTickets() {
  const section = document.querySelector("#tickets");
  section.querySelector("ul").append(...next.map(drawTicket));
  section.querySelector("[data-saved]").append(saved);
  section.hidden = false;
  document.querySelector("#elsewhere").remove();
}

function drawTicket(ticket) {
  const card = document.querySelector("#ticket").content.cloneNode(true);
  for (const part of card.querySelectorAll("[data-if]")) {
    if (!ticket[part.dataset.if]) part.remove();
  }
  for (const slot of card.querySelectorAll("[data-text]")) {
    slot.textContent = ticket[slot.dataset.text];
  }
  const directions = card.querySelector("a");
  if (directions) directions.href = ticket.mapsUrl;
  return card;
}

function showCheckIns() {
  const isShown = (key) =>
    /^(kept )?taps /.test(key) && (!current || key.split(" ").includes(current));
  const kept = Object.keys(localStorage).filter(isShown).map(read);
  const taps = kept.flatMap((each) => each.value ?? each);
  const count = new Set(taps.map(({ bookingId }) => bookingId)).size;
  if (count === 0) return;
  const line = document.querySelector("#check-ins");
  line.querySelector("strong").textContent = count === 1 ? "1 tap" : `${count} taps`;
  line.hidden = false;
  if (!location.pathname.startsWith("/admin")) return;
  for (const forPlayers of ["#safe", "#elsewhere"]) document.querySelector(forPlayers)?.remove();
}
