/*
 * Runs on the offline page, kept by the service worker: shows the tickets that My Games has saved
 * (routes/saved-tickets.ts), up to the end of each game, and how many check-ins wait
 * (routes/admin/games/tap-queue.ts).
 */
const KEY = "tickets";

const { saved, tickets = [], account } = JSON.parse(localStorage.getItem(KEY) ?? "{}");
// Who was signed in last (forms/account-watch.ts).
const current = localStorage.getItem("account");
const isOwn = account === current;
const next = tickets.filter(({ endsAt }) => isOwn && Date.parse(endsAt) > Date.now());
if (next.length > 0) showTickets();
else localStorage.removeItem(KEY);
showCheckIns();
// Not where the page was asked for by its own name.
if (location.pathname !== "/offline") {
  addEventListener("online", goOn);
  setInterval(goOn, 5_000);
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
  const isShown = (key) => key.startsWith("taps ") && (!current || key.endsWith(` ${current}`));
  const kept = Object.keys(localStorage).filter(isShown);
  const taps = kept.flatMap((key) => JSON.parse(localStorage.getItem(key)));
  const count = new Set(taps.map(({ bookingId }) => bookingId)).size;
  if (count === 0) return;
  const line = document.querySelector("#check-ins");
  line.querySelector("strong").textContent = count === 1 ? "1 tap" : `${count} taps`;
  line.hidden = false;
  if (!location.pathname.startsWith("/admin")) return;
  for (const forPlayers of ["#safe", "#elsewhere"]) document.querySelector(forPlayers)?.remove();
}
