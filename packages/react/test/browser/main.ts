import { startChat } from "../../example/app.tsx";

const element = document.createElement("div");
document.body.append(element);
await startChat(element, new URLSearchParams(location.search).get("server") ?? "");
